/** The members of workspaces, and the people that the host's application knows. */
import { useNames } from "../../api/useNames.ts"
import { Field } from "../../components/Field.tsx"
import { setQuery } from "../../routing/location.ts"
import type { PageProps } from "../../shell/Page.ts"
import { MemberList } from "./MemberList.tsx"
import { PeopleList } from "./PeopleList.tsx"

export const MembersPage = ({ location: { query }, session }: PageProps) => {
  const { workspaces } = useNames()
  const workspace = query["workspace"] ?? session.workspace
  return (
    <>
      <div class="controls">
        <Field label="Workspace">
          <select
            value={workspace}
            onChange={({ currentTarget: { value } }) => setQuery({ workspace: value })}
          >
            {workspaces.every(({ id }) => id !== workspace) && (
              <option value={workspace}>{workspace}</option>
            )}
            {workspaces.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </Field>
      </div>
      <MemberList
        key={workspace}
        name={workspaces.find(({ id }) => id === workspace)?.name ?? workspace}
        session={session}
        workspace={workspace}
      />
      <PeopleList />
    </>
  )
}
