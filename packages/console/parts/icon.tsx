import agent from 'lucide-static/icons/bot.svg';
import back from 'lucide-static/icons/chevron-left.svg';
import operations from 'lucide-static/icons/gauge.svg';
import inbox from 'lucide-static/icons/inbox.svg';
import menu from 'lucide-static/icons/menu.svg';
import reply from 'lucide-static/icons/reply.svg';
import message from 'lucide-static/icons/send.svg';
import connect from 'lucide-static/icons/smartphone.svg';
import react from 'lucide-static/icons/smile.svg';
import person from 'lucide-static/icons/user.svg';
import automations from 'lucide-static/icons/workflow.svg';
import close from 'lucide-static/icons/x.svg';
import workflows from 'lucide-static/icons/waypoints.svg';
import events from 'lucide-static/icons/zap.svg';

/** The drawings of Lucide, by what they mean here. A page has the icon of its name. */
const DRAWINGS = {
  agent,
  automations,
  back,
  close,
  connect,
  events,
  inbox,
  menu,
  message,
  operations,
  person,
  react,
  reply,
  workflows,
} as const;

export type IconName = keyof typeof DRAWINGS;

export const isIcon = (name: string): name is IconName => name in DRAWINGS;

/** A picture beside a word, which says the same. */
export const Icon = ({ name }: { name: IconName }) => (
  <span class="icon" aria-hidden="true" dangerouslySetInnerHTML={{ __html: DRAWINGS[name] }} />
);
