-- Made of domain/workflows.ts by `npm run workflow-functions`; change nothing here.

create or replace function message_workflow(r message)
returns table (workflow_type text, workflow_id text, args jsonb, attributes jsonb, summary text, priority smallint,
  agency_id text)
language sql stable as $$
  select 'deliverMessage'::text, 'message/' || r.id, jsonb_build_array(r.id),
    jsonb_strip_nulls(jsonb_build_object(
      'AgencyId', r.agency_id,
      'TenantId', r.tenant_id,
      'SessionId', r.session_id,
      'ConversationId', r.conversation_id,
      'MessageId', r.id,
      'Outcome', 'open')),
    r.kind || ' → ' || r.conversation_id || ' · agency ' || r.agency_id,
    (case when r.bulk then 4 when r.origin = 'person' then 1
      when r.origin = 'ai' then 3 else 2 end)::smallint, r.agency_id
$$;

create or replace function actions_workflow(r message)
returns table (workflow_type text, workflow_id text, args jsonb, attributes jsonb, summary text, priority smallint,
  agency_id text)
language sql stable as $$
  select 'actOnMessage'::text, 'actions/' || r.id, jsonb_build_array(r.id),
    jsonb_strip_nulls(jsonb_build_object(
      'AgencyId', r.agency_id,
      'TenantId', r.tenant_id,
      'SessionId', r.session_id,
      'ConversationId', r.conversation_id,
      'MessageId', r.id)),
    'actions on ' || r.kind || ' in ' || r.conversation_id || ' · agency ' || r.agency_id,
    (2)::smallint, r.agency_id
$$;

create or replace function media_workflow(r message)
returns table (workflow_type text, workflow_id text, args jsonb, attributes jsonb, summary text, priority smallint,
  agency_id text)
language sql stable as $$
  select 'fetchMedia'::text, 'media/' || r.id, jsonb_build_array(r.id),
    jsonb_strip_nulls(jsonb_build_object(
      'AgencyId', r.agency_id,
      'TenantId', r.tenant_id,
      'SessionId', r.session_id,
      'ConversationId', r.conversation_id,
      'MessageId', r.id)),
    'file of ' || r.kind || ' in ' || r.conversation_id || ' · agency ' || r.agency_id,
    (2)::smallint, r.agency_id
$$;

create or replace function session_workflow(r session)
returns table (workflow_type text, workflow_id text, args jsonb, attributes jsonb, summary text, priority smallint,
  agency_id text)
language sql stable as $$
  select 'superviseSession'::text, 'session/' || r.id, jsonb_build_array(r.id),
    jsonb_strip_nulls(jsonb_build_object(
      'AgencyId', r.agency_id,
      'TenantId', r.tenant_id,
      'SessionId', r.id)),
    'session ' || right(r.id, 6) || ' of tenant ' || r.tenant_id || ' · agency ' || r.agency_id,
    (2)::smallint, r.agency_id
$$;

create or replace function endpoint_workflow(r endpoint)
returns table (workflow_type text, workflow_id text, args jsonb, attributes jsonb, summary text, priority smallint,
  agency_id text)
language sql stable as $$
  select 'deliverWebhooks'::text, 'endpoint/' || r.id, jsonb_build_array(r.id),
    jsonb_strip_nulls(jsonb_build_object(
      'AgencyId', r.agency_id,
      'TenantId', case when cardinality(r.tenant_ids) = 1 then r.tenant_ids[1] end)),
    'events to ' || coalesce(substring(r.url from '^[a-z]+://(?:[^/@]*@)?([^/:?#]+)'), 'an endpoint')
      || ' · ' || right(r.id, 6) || ' · agency ' || r.agency_id,
    (5)::smallint, r.agency_id
$$;

create or replace function ai_workflow(r conversation)
returns table (workflow_type text, workflow_id text, args jsonb, attributes jsonb, summary text, priority smallint,
  agency_id text)
language sql stable as $$
  select 'aiConversation'::text, 'ai/' || r.id, jsonb_build_array(r.id),
    jsonb_strip_nulls(jsonb_build_object(
      'AgencyId', r.agency_id,
      'TenantId', r.tenant_id,
      'SessionId', r.session_id,
      'ConversationId', r.id)),
    'AI agent · ' || r.id || ' · agency ' || r.agency_id,
    (3)::smallint, r.agency_id
$$;

create or replace function sync_workflow(r session)
returns table (workflow_type text, workflow_id text, args jsonb, attributes jsonb, summary text, priority smallint,
  agency_id text)
language sql stable as $$
  select 'syncHistory'::text, 'sync/' || r.id, jsonb_build_array(r.id),
    jsonb_strip_nulls(jsonb_build_object(
      'AgencyId', r.agency_id,
      'TenantId', r.tenant_id,
      'SessionId', r.id)),
    'history of session ' || right(r.id, 6) || ' of tenant ' || r.tenant_id || ' · agency ' || r.agency_id,
    (5)::smallint, r.agency_id
$$;

create or replace function contacts_workflow(r session)
returns table (workflow_type text, workflow_id text, args jsonb, attributes jsonb, summary text, priority smallint,
  agency_id text)
language sql stable as $$
  select 'syncContacts'::text, 'contacts/' || r.id, jsonb_build_array(r.id),
    jsonb_strip_nulls(jsonb_build_object(
      'AgencyId', r.agency_id,
      'TenantId', r.tenant_id,
      'SessionId', r.id)),
    'contacts of session ' || right(r.id, 6) || ' of tenant ' || r.tenant_id || ' · agency ' || r.agency_id,
    (5)::smallint, r.agency_id
$$;

create or replace function phones_workflow(r session)
returns table (workflow_type text, workflow_id text, args jsonb, attributes jsonb, summary text, priority smallint,
  agency_id text)
language sql stable as $$
  select 'learnPhones'::text, 'phones/' || r.id, jsonb_build_array(r.id),
    jsonb_strip_nulls(jsonb_build_object(
      'AgencyId', r.agency_id,
      'TenantId', r.tenant_id,
      'SessionId', r.id)),
    'hidden ids of session ' || right(r.id, 6) || ' of tenant ' || r.tenant_id || ' · agency ' || r.agency_id,
    (5)::smallint, r.agency_id
$$;

create or replace function rehearsal_workflow(r rehearsal)
returns table (workflow_type text, workflow_id text, args jsonb, attributes jsonb, summary text, priority smallint,
  agency_id text)
language sql stable as $$
  select 'rehearse'::text, 'rehearsal/' || r.id, jsonb_build_array(r.id),
    jsonb_strip_nulls(jsonb_build_object(
      'AgencyId', r.agency_id,
      'TenantId', r.tenant_id,
      'SessionId', r.session_id)),
    'AI rehearsal · agency ' || r.agency_id,
    (5)::smallint, r.agency_id
$$;

create or replace function erasure_workflow(r erasure)
returns table (workflow_type text, workflow_id text, args jsonb, attributes jsonb, summary text, priority smallint,
  agency_id text)
language sql stable as $$
  select 'eraseContact'::text, 'erasure/' || r.id, jsonb_build_array(r.id),
    jsonb_strip_nulls(jsonb_build_object(
      'AgencyId', r.agency_id,
      'TenantId', r.tenant_id)),
    'erases a person of tenant ' || r.tenant_id || ' · ' || right(r.id, 6) || ' · agency ' || r.agency_id,
    (5)::smallint, r.agency_id
$$;

create or replace function export_workflow(r tenant_export)
returns table (workflow_type text, workflow_id text, args jsonb, attributes jsonb, summary text, priority smallint,
  agency_id text)
language sql stable as $$
  select 'exportTenant'::text, 'export/' || r.id, jsonb_build_array(r.id),
    jsonb_strip_nulls(jsonb_build_object(
      'AgencyId', r.agency_id,
      'TenantId', r.tenant_id)),
    'exports tenant ' || r.tenant_id || ' · ' || right(r.id, 6) || ' · agency ' || r.agency_id,
    (5)::smallint, r.agency_id
$$;

create or replace function automation_workflow(r automation_execution)
returns table (workflow_type text, workflow_id text, args jsonb, attributes jsonb, summary text, priority smallint,
  agency_id text)
language sql stable as $$
  select 'runAutomation'::text, 'automation/' || r.id, jsonb_build_array(r.id),
    jsonb_strip_nulls(jsonb_build_object(
      'AgencyId', r.agency_id,
      'TenantId', r.tenant_id,
      'SessionId', r.session_id,
      'ConversationId', r.conversation_id,
      'Automation', r.definition)),
    r.definition || ' · ' || right(r.id, 6) || ' · agency ' || r.agency_id,
    (4)::smallint, r.agency_id
$$;
