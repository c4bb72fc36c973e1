/** What a request asked of routing, and what bounded it besides. */
import { Section } from "../../components/Section.tsx"
import { Table } from "../../components/Table.tsx"
import type { RequestRecord } from "./RequestRecord.ts"

export const Bounds = ({ record }: { readonly record: RequestRecord }) => {
  const preferences = listPreferences(record)
  const bounds = listBounds(record)
  return (
    <Section title="Preferences and bounds in force">
      {preferences.length === 0 ? (
        <div class="empty">No preferences of the request are recorded.</div>
      ) : (
        <Table
          caption="Preferences of the request"
          rows={preferences}
          toKey={({ name }) => name}
          columns={[
            { title: "Preference", cell: ({ name }) => name },
            {
              title: "Value",
              cell: ({ value }) =>
                value === undefined ? (
                  <span class="muted">too long to be recorded</span>
                ) : (
                  <code>{value}</code>
                )
            }
          ]}
        />
      )}
      {bounds.length > 0 && (
        <Table
          caption="Bounds in force"
          rows={bounds}
          toKey={({ key }) => key}
          columns={[
            { title: "Set by", cell: ({ source }) => source },
            { title: "Bounds", cell: ({ kinds }) => kinds }
          ]}
        />
      )}
    </Section>
  )
}

const listPreferences = ({
  omitted_preferences: omitted,
  preferences
}: RequestRecord): ReadonlyArray<{ readonly name: string; readonly value: string | undefined }> => [
  ...Object.entries(preferences ?? {}).map(([name, value]) => ({
    name,
    value: JSON.stringify(value)
  })),
  ...omitted.map((name) => ({ name, value: undefined }))
]

const listBounds = ({ constraints, limits }: RequestRecord) =>
  [
    ...constraints.map(({ rules, source }) => ({ source, kinds: rules.join(", ") })),
    ...limits.map(({ interval, kind, name }) => ({
      source: name === null ? kind : `${kind} ${name}`,
      kinds: `spend limit, ${interval}`
    }))
  ].map((bound, at) => ({ ...bound, key: `${at}` }))
