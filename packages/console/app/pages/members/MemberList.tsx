/** The members of one workspace: user ids that guardrails may bind. */
import type { OperationResponse } from "@signalbox/core/contract"
import { act, isAllowed, type Session } from "../../api/request.ts"
import { ActionButton } from "../../components/ActionButton.tsx"
import { FormButton } from "../../components/FormButton.tsx"
import { parseList } from "../../components/FormField.ts"
import { ListSection } from "../../components/ListSection.tsx"
import { ReadOnlyNote } from "../../components/ReadOnlyNote.tsx"
import type { Column } from "../../components/Table.tsx"
import { Time } from "../../components/Time.tsx"
import { toHash } from "../../routing/location.ts"

type Member = OperationResponse<"workspaces.listMembers">["data"][number]

interface ListProps {
  readonly workspace: string
  readonly session: Session
}

const toPath = (workspace: string): string =>
  `api/v1/workspaces/${encodeURIComponent(workspace)}/members`

const add = ({ session, workspace }: ListProps, users: ReadonlyArray<string>) =>
  act<"workspaces.addMembers">(session, "POST", `${toPath(workspace)}/add`, { user_ids: users })

const remove = ({ session, workspace }: ListProps, users: ReadonlyArray<string>) =>
  act<"workspaces.removeMembers">(session, "POST", `${toPath(workspace)}/remove`, {
    user_ids: users
  })

export const MemberList = ({ name, ...props }: ListProps & { readonly name: string }) => (
  <ListSection<Member>
    title={`Members of ${name}`}
    path={toPath(props.workspace)}
    query={{ limit: 20 }}
    // Who is added again has another id: a dialog that was opened on the row meanwhile would go away with it.
    toKey={({ user_id: user }) => user}
    empty={
      <>
        It has no member. Add users with <code>POST /api/v1/workspaces/…/members/add</code>.
      </>
    }
    aside={(reload) =>
      isAllowed(props.session, "members") && <Add {...props} name={name} reload={reload} />
    }
    columns={(reload) => makeColumns(props, name, reload)}
  >
    <ReadOnlyNote session={props.session} group="members" actions="add and remove members" />
  </ListSection>
)

const makeColumns = (
  props: ListProps,
  name: string,
  reload: () => void
): ReadonlyArray<Column<Member>> => [
  {
    title: "User",
    cell: ({ user_id: user }) => (
      <a href={toHash(["requests"], { user, range: "30d" })} title="Requests of the last 30 days">
        {user}
      </a>
    )
  },
  { title: "Role", cell: ({ role }) => role },
  { title: "Since", cell: ({ created_at: at }) => <Time at={at} /> },
  ...(isAllowed(props.session, "members")
    ? [
        {
          title: "Action",
          cell: ({ user_id: user }: Member) => (
            <ActionButton
              label="Remove member"
              isDestructive
              about={`${user} from ${name}`}
              run={async () => {
                await remove(props, [user])
                return {
                  text: "The user is not a member any more.",
                  undo: async () => {
                    await add(props, [user])
                    return "The user is a member again."
                  }
                }
              }}
              onDone={reload}
            >
              The list loses {user}. Keys of the user stay and work: disable them on{" "}
              <a href={toHash(["keys"])}>Keys &amp; audit</a> to end access.
            </ActionButton>
          )
        }
      ]
    : [])
]

const Add = ({
  name,
  reload,
  ...props
}: ListProps & { readonly name: string; readonly reload: () => void }) => (
  <FormButton
    label="Add members"
    about=""
    fields={[
      {
        name: "users",
        label: "User ids",
        kind: "list",
        isRequired: true,
        hint: "separated by commas, as your application names them"
      }
    ]}
    explain={({ users }) =>
      `${parseList(users).length} ${parseList(users).length === 1 ? "user becomes a member" : "users become members"} of ${name}; those that are stay. It gives no access by itself.`
    }
    run={async ({ users }) => {
      const wanted = parseList(users)
      const { added_count: added, data } = await add(props, wanted)
      return {
        text: `${added} of ${wanted.length} added; the others were members.`,
        ...(added === 0
          ? undefined
          : {
              undo: async () => {
                await remove(
                  props,
                  data.map(({ user_id: user }) => user)
                )
                return "They are not members any more."
              }
            })
      }
    }}
    onDone={reload}
  />
)
