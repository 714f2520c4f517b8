import { defineSignal } from '@temporalio/workflow';
import { SIGNALS } from '../domain/names.ts';

/** The network has confirmed an ack level of the message; -1 is an error. */
export const acked = defineSignal<[number]>(SIGNALS.acked);
/** The session may send again. */
export const released = defineSignal(SIGNALS.released);
/** Somebody else has changed the message's row. */
export const changed = defineSignal(SIGNALS.changed);
/** The backend has reported another status of the session. */
export const statusChanged = defineSignal(SIGNALS.statusChanged);
/** A contact has written. */
export const messageReceived = defineSignal(SIGNALS.messageReceived);
/** Deliveries, questions to the network, or actions on a message have become due. */
export const due = defineSignal(SIGNALS.due);
