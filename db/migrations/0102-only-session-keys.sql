-- A key that was made without named scopes may set the agent if its tenant has one session, as new keys may. Keys whose
-- maker lacks the scope, by its row or by the audit, get nothing.
set local lock_timeout = '10s';

update api_key k set scopes = array['send', 'read', 'sessions', 'passthrough', 'ai:admin']
where k.kind = 'session' and k.scopes = '{}' and k.revoked_at is null
  and 1 = (select count(*) from session s
    where s.agency_id = k.agency_id and s.tenant_id = k.tenant_id and s.wish <> 'deleted')
  and not exists (
    select 1 from api_key m
    where m.agency_id = k.agency_id and m.scopes <> '{}' and not m.scopes @> array['ai:admin']
      and (m.id = k.made_by or m.id in (
        select e.key_id from audit_entry e
        where e.agency_id = k.agency_id and e.at = k.created_at
          and e.object = 'key' and e.object_id = k.id and e.action = 'created')));
