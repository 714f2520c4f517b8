import { z } from 'zod';
import { listUnknown } from '../../db/network/unknown-report.ts';
import { UnknownReportView } from '../../domain/network/unknown-report.ts';
import { defineRoute } from '../deps.ts';

/** There are few names that nobody knows. */
const MAX_LISTED = 200;

export const unknownReportRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/admin/unknown-reports',
    auth: 'master',
    operationId: 'adminUnknownReports.list',
    summary: 'List unknown backend reports',
    description:
      'Returns the kinds of chats, events and contents that a backend reported and that this version does not know, ' +
      'the last reported first. Nothing of them is dropped unseen.',
    reply: z.object({
      reports: z.array(UnknownReportView).meta({ description: 'The 200 that were reported last.' }),
    }),
    async handle(_request, { database }) {
      const found = await database.read((queries) => listUnknown(queries, MAX_LISTED));
      const reports = found.map(({ firstAt, lastAt, ...same }) => ({
        ...same,
        firstAt: firstAt.toISOString(),
        lastAt: lastAt.toISOString(),
      }));
      return { reports };
    },
  }),
];
