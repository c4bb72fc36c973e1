/** The people of the account, where the host's application lists them. */
import type { OperationResponse } from "@signalbox/core/contract"
import { useState } from "preact/hooks"
import { usePages } from "../../api/usePages.ts"
import { Loading } from "../../components/Loading.tsx"
import { LoadMore } from "../../components/LoadMore.tsx"
import { type Column, Table } from "../../components/Table.tsx"
import { unknown } from "../../format/format.ts"
import { toHash } from "../../routing/location.ts"

type Person = OperationResponse<"organization.listMembers">["data"][number]

/** Read when they are looked at, because many hosts list nobody, which is an error. */
export const PeopleList = () => {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>People of the account, as its application knows them</summary>
      {isOpen && <People />}
    </details>
  )
}

const People = () => {
  const people = usePages<Person>("api/v1/organization/members", { limit: 20 })
  if (people.error?.status === 404) {
    return (
      <p class="muted">
        The application lists nobody. Pass <code>organization</code> to <code>Signalbox.make</code>.
      </p>
    )
  }
  return (
    <Loading loaded={people} isEmpty={(rows) => rows.length === 0} empty="It has none.">
      {(rows) => (
        <>
          <Table
            caption="People of the account"
            columns={columns}
            rows={rows}
            toKey={({ id }) => id}
          />
          <LoadMore pages={people} />
        </>
      )}
    </Loading>
  )
}

const columns: ReadonlyArray<Column<Person>> = [
  {
    title: "User",
    cell: ({ id }) => <a href={toHash(["requests"], { user: id, range: "30d" })}>{id}</a>
  },
  {
    title: "Name",
    cell: ({ first_name: first, last_name: last }) =>
      [first, last].filter(Boolean).join(" ") || unknown
  },
  { title: "Email", cell: ({ email }) => email },
  { title: "Role", cell: ({ role }) => (role === "org:admin" ? "administrator" : "member") }
]
