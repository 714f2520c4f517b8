import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import { TASK_QUEUES } from '../../domain/names.ts';
import type { ExportActivities, ExportRound } from '../../activities/personal-data/export.ts';
import { createStory } from '../operator-story.ts';

const { exportOn } = proxyActivities<ExportActivities>({
  taskQueue: TASK_QUEUES.sync,
  startToCloseTimeout: '5 m',
  heartbeatTimeout: '30 s',
  retry: { initialInterval: '1 s', maximumInterval: '1 m' },
  summary: 'write rows and files of the tenant',
});

/**
 * Exports one tenant: rows and files, page by page. It goes on where it stopped, however often it is begun, because the
 * row says how far it is.
 * Rows: tenant_export, tenant_export_part.
 */
export async function exportTenant(exportId: string): Promise<ExportRound> {
  const story = createStory<ExportRound | null>(null, {
    state: 'How far the export is: the table that is written, the rows so far by table, and the files; null at first.',
    details: (round) => (round === null ? [] : [detailsOf(round)]),
  });
  for (;;) {
    const round = await exportOn({ exportId });
    story.tell(round);
    if (round.isOver) return round;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof exportTenant>(exportId);
  }
}

function detailsOf({ isOver, what, counts, files }: ExportRound): string {
  const written = Object.entries(counts).map(([table, count]) => `- ${table}: ${count}`);
  return [`**${isOver ? 'over' : (what ?? 'manifest')}** · files: ${files}`, ...written].join('\n');
}
