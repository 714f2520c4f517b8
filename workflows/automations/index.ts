/** The automations of this release. One that is not listed here does not exist. */
export { askSatisfaction } from './ask-satisfaction.ts';
export { assignUnanswered } from './assign-unanswered.ts';
export { followUpSilentLead } from './follow-up-silent-lead.ts';
export { nudgeUnread } from './nudge-unread.ts';
export { optOut } from './opt-out.ts';
export { remindOfAppointment } from './remind-of-appointment.ts';
export { sortEnquiry } from './sort-enquiry.ts';
export { welcomeContact } from './welcome-contact.ts';
