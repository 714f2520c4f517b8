-- Answers the words of a text, in their order, as texts and searches are compared: in small letters, without accents,
-- in one form of each letter, and without anything that is neither letter nor digit. Scripts that are written without
-- spaces become a word for each letter, so that a search finds any part of a sentence. The ranges name characters by
-- their numbers, because the classes of regular expressions go by the locale of the database. Only the beginning of a
-- long text counts: the words of a text may take a megabyte, and a longer one would stop the index for everybody. Some
-- letters fold into many, so it is cut before that and after.
create or replace function folded_words(p_text text) returns text[]
language sql immutable parallel safe as $$
  select array(select left(w, 64) from string_to_table(
    regexp_replace(regexp_replace(
      case when octet_length(p_text) = length(p_text) then lower(left(p_text, 100000))
        else left(lower(normalize(regexp_replace(normalize(left(p_text, 100000), nfkd), '[\u0300-\u036f]+', '', 'g'),
          nfkc)), 100000) end,
      '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff])', ' \1 ', 'g'),
      '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7'
        || '\u05be\u05c0\u05c3\u05f3\u05f4\u060c\u061b\u061f\u0640\u066a-\u066d\u06d4\u0964\u0965\u1680\u180e'
        || '\u2000-\u206f\u20a0-\u20cf\u2190-\u2bff\u2e00-\u2e7f\u3000-\u303f\ufe00-\ufe0f\ufe10-\ufe6f\ufff0-\uffff'
        || '\U0001f000-\U0001faff\U000e0000-\U000e007f]+', ' ', 'g'),
    ' ') w where w <> '')
$$;

-- The words that say whose a text is. No text has them, because they begin with what is in no word of a text.
create or replace function month_word(p_agency text, p_tenant text, p_at timestamptz) returns text
language sql immutable parallel safe as $$
  select '/m/' || to_char(p_at at time zone 'UTC', 'YYYYMM') || '/' || p_agency || '/' || p_tenant
$$;
create or replace function session_word(p_session text) returns text
language sql immutable parallel safe as $$ select '/s/' || p_session $$;
create or replace function conversation_word(p_conversation text) returns text
language sql immutable parallel safe as $$ select '/c/' || p_conversation $$;

-- Answers what is searched of a message: its words, each with its place, and whose they are. Null where there are none:
-- what is scheduled has not been said, and what was taken back is not found.
create or replace function text_of(p_agency text, p_tenant text, p_session text, p_conversation text, p_at timestamptz,
  p_status text, p_revoked_at timestamptz, p_body text) returns tsvector
language sql stable as $$
  select array_to_tsvector(array[month_word(p_agency, p_tenant, p_at), session_word(p_session),
      conversation_word(p_conversation)])
    || string_agg(w.word || ':' || least(w.place, 16383), ' ')::tsvector
  from unnest(folded_words(p_body)) with ordinality w(word, place)
  where p_status <> 'scheduled' and p_revoked_at is null and p_body <> ''
$$;

-- Takes out the words of a message that is gone; `db/migrations/0171-follow-messages.sql` follows those that are
-- written and changed. A deletion that finds no words is noted, too, because they may be about to be written.
create or replace function index_deleted_text() returns trigger language plpgsql as $$
begin
  delete from message_text where agency_id = old.agency_id and tenant_id = old.tenant_id
    and occurred_at = old.occurred_at and message_id = old.id;
  if not found and old.body <> '' and old.status <> 'scheduled' then
    insert into search_due (agency_id, tenant_id, message_id, former_at)
    values (old.agency_id, old.tenant_id, old.id, old.occurred_at);
  end if;
  return null;
end
$$;

-- Indexes messages of before the index, in the order of their ids. Answers how many it has looked at.
create or replace function index_old_texts(p_limit integer)
returns integer language plpgsql set enable_seqscan = off as $$
declare
  v_after text;
  v_last text;
  v_count integer;
begin
  select after_id into v_after from message_text_fill where not is_done for update skip locked;
  if not found then return 0; end if;
  -- The lock lets nobody change a message between its reading and its words.
  with old as materialized (
    select * from message m where m.id > v_after order by m.id limit p_limit for share
  ), written as (
    insert into message_text (agency_id, tenant_id, occurred_at, message_id, words)
    select o.agency_id, o.tenant_id, o.occurred_at, o.id, t.words
    from old o cross join lateral text_of(o.agency_id, o.tenant_id, o.session_id, o.conversation_id, o.occurred_at,
      o.status, o.revoked_at, o.body) t(words)
    where t.words is not null
    on conflict do nothing
  )
  select max(id), count(*) into v_last, v_count from old;
  update message_text_fill set after_id = coalesce(v_last, after_id), is_done = v_count < p_limit;
  return v_count;
end
$$;
