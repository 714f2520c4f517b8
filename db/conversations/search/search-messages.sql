-- Writes words as a search for any of them.
create or replace function any_word(p_words text[]) returns tsquery
language sql immutable parallel safe as $$
  select string_agg('''' || replace(replace(w, '\', '\\'), '''', '''''') || '''', ' | ')::tsquery from unnest(p_words) w
$$;

-- Reads what somebody searches for: each term is a word, or several words in a row, and `isPrefix` says that the last
-- one may go on. All terms must be there. Null where the terms have no word at all.
create or replace function search_words(p_terms jsonb) returns tsquery
language sql immutable parallel safe as $$
  select string_agg(term.words, ' & ')::tsquery from (
    select '(' || string_agg('''' || w.word || '''' || case when (t->>'isPrefix')::boolean
        and w.place = cardinality(f.words) then ':*' else '' end, ' <-> ' order by w.place) || ')' as words
    from jsonb_array_elements(p_terms) with ordinality e(t, at)
      cross join lateral (select folded_words(t->>'text')) f(words)
      cross join lateral unnest(f.words) with ordinality w(word, place)
    group by e.at order by e.at) term
$$;

-- Whether a message is of the kind, and of the side, that is searched for.
create or replace function is_searched(m message, p jsonb) returns boolean
language sql stable as $$
  select m.revoked_at is null and (p->>'kind' is null or shown_kind(m.kind, m.content) = p->>'kind')
    and (p->>'fromMe' is null or (m.direction = 'out') = (p->>'fromMe')::boolean)
$$;

-- Finds messages of a tenant by their words, newest first. `p` has the owner, the words, the place to go on from, and
-- what the search is narrowed to. The newest messages are looked at one by one, which finds frequent words without
-- touching their long lists; then the index is asked, month after month backwards and more months at a time, so that a
-- word costs what a page of it needs and not what there is of it. In a conversation the index is asked at once. The
-- results of the index are sorted before their messages are read, because a page needs few of them.
create or replace function search_messages(p jsonb, p_looked_at integer)
returns table (id text, at timestamptz)
language plpgsql stable rows 20 set enable_seqscan = off as $$
#variable_conflict use_column
declare
  v_agency text := p->>'agencyId';
  v_tenant text := p->>'tenantId';
  v_words tsquery := (p->>'words')::tsquery;
  v_at timestamptz := coalesce((p->>'at')::timestamptz, (p->>'until')::timestamptz, 'infinity');
  -- Without a place the moment itself counts, whatever the ids.
  v_id text := coalesce(p->>'id', '');
  v_since timestamptz := coalesce((p->>'since')::timestamptz, '-infinity');
  v_left integer := (p->>'limit')::integer;
  v_look integer := p_looked_at;
  v_looked_at integer := 0;
  v_found integer := 0;
  v_conversations text[] := (select array_agg(conversation_word(c))
    from jsonb_array_elements_text(nullif(p->'conversations', 'null')) c);
  -- The months that are asked next: so many, the last of which is this one.
  v_month timestamp;
  v_months integer := 1;
  v_first_month timestamp;
  r record;
begin
  if p->>'sessionId' is not null then v_words := v_words && any_word(array[session_word(p->>'sessionId')]); end if;
  if jsonb_typeof(p->'conversations') = 'array' then
    if v_conversations is null then return; end if;
    return query
      select t.message_id, t.occurred_at
      from (select x.message_id, x.occurred_at
          from (select * from message_text where words @@ (v_words && any_word(v_conversations)) offset 0) x
          where x.agency_id = v_agency and x.tenant_id = v_tenant and (x.occurred_at, x.message_id) < (v_at, v_id)
            and x.occurred_at >= v_since
          order by x.occurred_at desc, x.message_id desc offset 0) t
        join message m on m.id = t.message_id
      where is_searched(m, p)
      order by t.occurred_at desc, t.message_id desc limit v_left;
    return;
  end if;

  loop
    v_looked_at := 0;
    for r in
      select t.message_id, t.occurred_at, t.words @@ v_words as fits from message_text t
      where t.agency_id = v_agency and t.tenant_id = v_tenant and (t.occurred_at, t.message_id) < (v_at, v_id)
        and t.occurred_at >= v_since
      order by t.occurred_at desc, t.message_id desc limit v_look
    loop
      v_looked_at := v_looked_at + 1;
      v_at := r.occurred_at;
      v_id := r.message_id;
      continue when not r.fits;
      perform 1 from message m where m.id = r.message_id and is_searched(m, p);
      continue when not found;
      id := r.message_id;
      at := r.occurred_at;
      return next;
      v_found := v_found + 1;
      v_left := v_left - 1;
      if v_left = 0 then return; end if;
    end loop;
    if v_looked_at < v_look then return; end if;
    -- Twice as many are looked at where they are likely to have the rest, which costs less than all of a month.
    exit when v_look > p_looked_at or v_left > 2 * v_found;
    v_look := 2 * p_looked_at;
  end loop;

  select date_trunc('month', greatest(min(t.occurred_at), v_since) at time zone 'UTC') into v_first_month
  from message_text t where t.agency_id = v_agency and t.tenant_id = v_tenant;
  v_month := date_trunc('month', v_at at time zone 'UTC');
  while v_month >= v_first_month loop
    v_months := least(v_months, (select 1 + extract(year from a) * 12 + extract(month from a)
      from age(v_month, v_first_month) a));
    for r in
      select t.message_id, t.occurred_at
      from (select x.message_id, x.occurred_at
          from (select * from message_text where words @@ (v_words && any_word(array(
            select month_word(v_agency, v_tenant, (v_month - n * interval '1 month') at time zone 'UTC')
            from generate_series(0, v_months - 1) n))) offset 0) x
          where x.agency_id = v_agency and x.tenant_id = v_tenant and (x.occurred_at, x.message_id) < (v_at, v_id)
            and x.occurred_at >= v_since
          order by x.occurred_at desc, x.message_id desc offset 0) t
        join message m on m.id = t.message_id
      where is_searched(m, p)
      order by t.occurred_at desc, t.message_id desc limit v_left
    loop
      id := r.message_id;
      at := r.occurred_at;
      return next;
      v_left := v_left - 1;
    end loop;
    exit when v_left = 0;
    v_month := v_month - v_months * interval '1 month';
    v_months := least(v_months * 4, 120);
  end loop;
end
$$;
