import { setTimeout } from 'node:timers/promises';
import { workflowId } from '../../domain/names.ts';
import { call } from '../support/client.ts';
import { DECISION, agent, anAgency, anAgencyWithAgent, ended, idle, write } from './a-story-scene.ts';
import type { Story } from './a-story-scene.ts';
import { CANARY } from './canary.ts';
import { untilContinued, untilPending, untilTimer } from './wait.ts';

export const AGENT_STORIES: readonly Story[] = [
  {
    name: 'ai-conversation-replied',
    async tell(engine) {
      const agency = await anAgencyWithAgent(engine, 'replied');
      await write(engine, agency);
      return idle(await agent(engine, 'a-replied'));
    },
  },
  {
    name: 'ai-conversation-asked-again',
    async tell(engine) {
      const agency = await anAgencyWithAgent(engine, 'asked');
      await engine.control('POST', '/llm/script', { replies: [{ hangMs: 30_000 }] });
      await write(engine, agency);
      const conversation = await agent(engine, 'a-asked');
      await untilPending(conversation, 'answerTurn');
      await write(engine, agency);
      return idle(conversation);
    },
  },
  {
    name: 'rehearse-answered',
    async tell(engine) {
      const { scopedKey: key } = await anAgency(engine, 'rehearsed');
      const body = { messages: [{ from: 'contact', text: CANARY.text }], contactMemories: [CANARY.name] };
      const answered = await call(engine, 'POST', '/api/v1/ai/rehearse', { key, body });
      return ended(engine.temporal.workflow.getHandle(workflowId('rehearse', String(answered.body['id']))));
    },
  },
  {
    name: 'ai-conversation-burst',
    async tell(engine) {
      const agency = await anAgencyWithAgent(engine, 'burst');
      for (let message = 0; message < 5; message += 1) await write(engine, agency);
      return idle(await agent(engine, 'a-burst'));
    },
  },
  {
    name: 'ai-conversation-slow-writer',
    async tell(engine) {
      const agency = await anAgencyWithAgent(engine, 'slow');
      // Six messages, each within the quiet period of the one before.
      for (let message = 0; message < 6; message += 1) {
        if (message > 0) await setTimeout(700);
        await write(engine, agency);
      }
      return idle(await agent(engine, 'a-slow'));
    },
  },
  {
    name: 'ai-conversation-stepped-down',
    async tell(engine) {
      const agency = await anAgencyWithAgent(engine, 'stepped');
      await engine.control('POST', '/llm/script', { replies: [{ status: 401 }] });
      await write(engine, agency);
      return idle(await agent(engine, 'a-stepped'));
    },
  },
  {
    name: 'ai-conversation-retried',
    async tell(engine) {
      const agency = await anAgencyWithAgent(engine, 'model-back');
      const body = { onModelFailure: 'retry' };
      await call(engine, 'PUT', '/api/v1/ai-sales-agent/persona', { key: agency.scopedKey, body });
      await engine.control('POST', '/llm/script', { replies: [{ status: 401 }] });
      await write(engine, agency);
      const conversation = await untilTimer(
        await agent(engine, 'a-model-back'),
        'wait before the model is asked again',
      );
      engine.database.clock.advance(20_000);
      await conversation.signal('messageReceived');
      return idle(conversation);
    },
  },
  {
    name: 'ai-conversation-taken-over',
    async tell(engine) {
      const agency = await anAgencyWithAgent(engine, 'taken');
      await write(engine, agency);
      const conversation = await idle(await agent(engine, 'a-taken'));
      await conversation.executeUpdate('takeOver', { args: [DECISION] });
      await conversation.executeUpdate('release', { args: [DECISION] });
      await write(engine, agency);
      // The same words again so soon are a repetition: a turn that says nothing.
      return idle(conversation);
    },
  },
  {
    name: 'ai-conversation-continued',
    async tell(engine) {
      const agency = await anAgencyWithAgent(engine, 'talkative');
      await write(engine, agency);
      const conversation = await idle(await agent(engine, 'a-talkative'));
      return untilContinued(engine, conversation, () => write(engine, agency));
    },
  },
];
