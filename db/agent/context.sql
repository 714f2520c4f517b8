-- Answers the facts that an agent of the tenant is told in every conversation, those that people entered first.
create or replace function tenant_facts(p_agency text, p_tenant text, p_now timestamptz, p_rules jsonb)
returns json language sql stable as $$
  select coalesce(json_agg(f order by f.place), '[]') from (
    select row_number() over (order by k.source = p_rules->>'extracted', k.confidence desc nulls first, k.id desc)
        as place, k.id, k.fact, k.category, k.source, k.confidence
    from memory k where k.agency_id = p_agency and k.tenant_id = p_tenant and k.contact_id is null
      and k.superseded_by is null and (k.expires_at is null or k.expires_at > p_now)
    order by 1 limit (p_rules->>'tenantFacts')::integer) f
$$;

-- Answers all that the agent is told: the last messages of a conversation, what is known of its contact, and the facts
-- of its tenant. Each part names the whole owner, so an id of another owner finds nothing. `p_batch` names the messages
-- of a turn: other messages that are owed a turn are left out, and the turn's own come last, even if something was said
-- while they waited. `p_rules` bounds the messages and the memories, says how many of those come first that people
-- entered or that were extracted, and names the source of what was extracted. Null when the session has no such
-- conversation.
create or replace function agent_context(p_agency text, p_tenant text, p_session text, p_conversation text,
  p_batch text[], p_now timestamptz, p_rules jsonb)
returns json language plpgsql stable set enable_seqscan = off as $$
begin
  return (
    with talk as (
      select c.id, c.contact_id, coalesce(nullif(p.name, ''), nullif(p.push_name, '')) as contact_name,
        zone_of(t.settings) as time_zone
      from conversation told
      join conversation c on c.id = conversation_now(told) and c.agency_id = told.agency_id
        and c.tenant_id = told.tenant_id and c.session_id = told.session_id
      join tenant t on t.agency_id = c.agency_id and t.id = c.tenant_id
      left join contact p on p.id = c.contact_id and p.agency_id = c.agency_id and p.tenant_id = c.tenant_id
      where told.id = p_conversation and told.agency_id = p_agency and told.tenant_id = p_tenant
        and told.session_id = p_session
    ), said as (
      -- Messages that failed or are scheduled have not been said, and revoked messages are not to be read any more.
      select m.id, m.direction, m.kind, m.body, m.occurred_at as at, m.media, m.content from talk join message m
        on m.conversation_id = talk.id and m.agency_id = p_agency and m.tenant_id = p_tenant
          and m.session_id = p_session and m.status not in ('scheduled', 'failed', 'cancelled')
          and m.revoked_at is null and m.content->'notice' is null
          -- One that is being matched may be a send that is here already.
          and m.matching_network_id is null
          and (p_batch is null or not m.awaits_turn or m.id = any(p_batch))
      order by m.occurred_at desc, m.id desc limit (p_rules->>'messages')::integer
    ), known as (
      -- The surest memory comes first, then the newest; one without a confidence was entered by a person.
      select row_number() over (order by place > first, is_extracted, place) as place, id, fact, category, source,
        confidence
      from (select k.*, e.is_extracted,
          row_number() over (partition by e.is_extracted order by k.confidence desc nulls first, k.id desc) as place,
          case when e.is_extracted then (p_rules->>'extractedFirst')::integer
            else (p_rules->>'enteredFirst')::integer end as first
        from talk join memory k on k.agency_id = p_agency and k.tenant_id = p_tenant
          and k.contact_id = talk.contact_id and k.superseded_by is null
          and (k.expires_at is null or k.expires_at > p_now)
        cross join lateral (select k.source = p_rules->>'extracted' as is_extracted) e) ranked
      order by 1 limit (p_rules->>'memories')::integer
    )
    select json_build_object('conversationId', talk.id, 'contactId', talk.contact_id,
      'contactName', talk.contact_name, 'timeZone', talk.time_zone,
      'messages',
      (select coalesce(json_agg(said order by id = any(coalesce(p_batch, '{}')), at, id), '[]') from said),
      'memories', (select coalesce(json_agg(known order by place), '[]') from known),
      'tenantFacts', tenant_facts(p_agency, p_tenant, p_now, p_rules))
    from talk);
end
$$;
