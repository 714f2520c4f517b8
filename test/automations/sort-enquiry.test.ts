import { afterAll, describe, expect, it } from '@jest/globals';
import { automationKit } from './automation-kit.ts';

const kit = await automationKit();
const system = await kit.aSystem();
afterAll(() => system.close());

describe('sort-enquiry', () => {
  it('labels the chat, and gives it to a person where the system says that one is needed', async () => {
    const label = await kit.aLabel('Enquiry');
    await kit.enable('sort-enquiry', { label: 'enquiry', endpoint: system.endpointId, assignee: 'anna' });
    system.answer({ needsPerson: true, number: 17, note: 'not read' });
    const contact = kit.contact();
    await contact.says('Do you have boats?');
    await contact.expectSent('Thank you, Ada. We look into it.', 'Your enquiry has the number 17.');
    await contact.expectLabels(label);
    await contact.expectAssigned('anna');
    expect(system.calls()).toHaveLength(1);
  });

  it('leaves the chat to the agent where the system takes it, which is asked again until it answers', async () => {
    await kit.enable('sort-enquiry', { endpoint: system.endpointId });
    system.answer(503, { needsPerson: false });
    const contact = kit.contact();
    await contact.says('Do you have boats?');
    await contact.expectCompleted();
    await contact.expectReleased();
    const [first, again] = system.calls().slice(-2);
    expect(again).toEqual(first);
  });

  it('gives a person what the model reads as urgent, and tells the system what it is about', async () => {
    await kit.enable('sort-enquiry', { asksModel: true, endpoint: system.endpointId, assignee: 'bert' });
    system.answer({ needsPerson: false });
    await kit.modelAnswers({ json: { about: 'support', isUrgent: true } });
    const contact = kit.contact();
    await contact.says('My boat sinks!');
    await contact.expectAssigned('bert');
    await contact.expectCompleted();
    expect(system.calls().at(-1)?.body).toContain('"data":{"about":"support","isUrgent":true}');
  });

  it('gives a person what no model has read', async () => {
    await kit.enable('sort-enquiry', { asksModel: true });
    await kit.modelAnswers({ status: 400 });
    const contact = kit.contact();
    await contact.says('My boat sinks!');
    await contact.expectAssigned();
    await contact.expectCompleted();
  });

  it('gives the chat to a person where the label is unknown and the system answers something else', async () => {
    await kit.enable('sort-enquiry', { label: 'No such label', endpoint: system.endpointId });
    system.answer({ needsPerson: 'perhaps' });
    const contact = kit.contact();
    await contact.says('Do you have boats?');
    await contact.expectSent('Thank you, Ada. We look into it.');
    await contact.expectCompleted();
    await contact.expectAssigned();
  });
});
