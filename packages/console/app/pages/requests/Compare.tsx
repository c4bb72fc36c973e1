/** Two requests side by side: parameters, route, time, tokens, cost, and what was said where that is kept. */
import { Fragment } from "preact"
import { useState } from "preact/hooks"
import type { Session } from "../../api/request.ts"
import { useApi } from "../../api/useApi.ts"
import { IdField } from "../../components/IdField.tsx"
import { Loading } from "../../components/Loading.tsx"
import { Section } from "../../components/Section.tsx"
import { Table } from "../../components/Table.tsx"
import { navigate, toHash } from "../../routing/location.ts"
import { compareRecords } from "./compareRecords.ts"
import { describeRecord } from "./describeRecord.ts"
import { KeptContent } from "./KeptContent.tsx"
import type { RequestRecord } from "./RequestRecord.ts"

export const Compare = ({
  ids: [one, other],
  list,
  session
}: {
  readonly ids: readonly [string, string]
  /** The address of the list with the filters that it had. */
  readonly list: string
  readonly session: Session
}) => {
  const first = useRecord(one)
  const second = useRecord(other)
  return (
    <>
      <p>
        <a href={list}>Back to the list</a>
      </p>
      <Loading loaded={first}>
        {({ data: before }) => (
          <Loading loaded={second}>
            {({ data: after }) => <Differences one={before} other={after} />}
          </Loading>
        )}
      </Loading>
      {session.show_content && (
        <div class="answers">
          {[one, other].map((id, at) => (
            <section key={id} class="answer" aria-label={`Content of request ${at + 1}`}>
              <KeptContent id={id} />
            </section>
          ))}
        </div>
      )}
    </>
  )
}

const useRecord = (id: string) =>
  useApi<"generations.getRecord">(`api/v1/signalbox/generations/${encodeURIComponent(id)}`)

const Differences = ({
  one,
  other
}: {
  readonly one: RequestRecord
  readonly other: RequestRecord
}) => {
  const [isAll, setAll] = useState(false)
  const fields = compareRecords(one, other)
  const rows = isAll ? fields : fields.filter(({ differs }) => differs)
  return (
    <Section
      title="Two requests"
      aside={
        <button type="button" aria-pressed={isAll} onClick={() => setAll(!isAll)}>
          Show what is alike
        </button>
      }
    >
      <dl class="facts">
        {[one, other].map((record, at) => (
          <Fragment key={record.id}>
            <dt>{at + 1}</dt>
            <dd>
              <a href={toHash(["requests", record.id])}>{record.id}</a> {describeRecord(record)}
            </dd>
          </Fragment>
        ))}
      </dl>
      {rows.length === 0 ? (
        <div class="empty">Their records do not differ.</div>
      ) : (
        <Table
          caption="Differences"
          rows={rows}
          toKey={({ name }) => name}
          columns={[
            { title: "Field", cell: ({ name }) => name },
            { title: "1", cell: ({ one }) => one },
            {
              title: "2",
              cell: ({ differs, other }) => (differs ? <strong>{other}</strong> : other)
            },
            { title: "Change", isNumber: true, cell: ({ change }) => change ?? "" }
          ]}
        />
      )}
    </Section>
  )
}

/** Leads from one request to its comparison with another one. */
export const CompareWith = ({ id }: { readonly id: string }) => (
  <IdField
    label="Compare with"
    placeholder="gen-…"
    onOpen={(other) => navigate(toHash(["requests", id, other]))}
  />
)
