/** Assigns a guardrail to keys and members, and takes it off them. */
import { act, isAllowed } from "../../api/request.ts"
import type { Names } from "../../api/useNames.ts"
import { ActionButton } from "../../components/ActionButton.tsx"
import { FormButton } from "../../components/FormButton.tsx"
import { parseList } from "../../components/FormField.ts"
import { formatId } from "../../format/formatId.ts"
import type { Assignments, GuardrailActionProps } from "./guardrailForm.ts"

const toBase = (id: string): string => `api/v1/guardrails/${encodeURIComponent(id)}/assignments`

export const Assign = ({
  names: { keys },
  of: { id, name },
  reload,
  session
}: GuardrailActionProps & { readonly names: Names }) => (
  <FormButton
    label="Assign"
    submit="Assign guardrail"
    about={name}
    fields={[
      {
        name: "key",
        label: "Key",
        kind: "select",
        options: [["", "none"], ...keys.map(({ id, name }) => [id, name] as const)]
      },
      { name: "members", label: "Members", kind: "list", hint: "user ids, separated by commas" }
    ]}
    explain={() => "Its restrictions and its limit bind them from their next request on."}
    run={async ({ key = "", members }) => {
      const users = parseList(members)
      const send = async (end: "" | "/remove") => {
        if (key !== "") {
          await act(session, "POST", `${toBase(id)}/keys${end}`, { key_hashes: [key] })
        }
        if (users.length > 0) {
          await act(session, "POST", `${toBase(id)}/members${end}`, { member_user_ids: users })
        }
      }
      await send("")
      return {
        text: "The guardrail is assigned.",
        undo: async () => {
          await send("/remove")
          return "The guardrail is not assigned to them any more."
        }
      }
    }}
    onDone={reload}
  />
)

export const Assigned = ({
  assignments: { keys, members },
  of: { id, name },
  reload,
  session
}: GuardrailActionProps & { readonly assignments: Assignments }) => {
  const bound = [
    ...keys
      .filter(({ guardrail_id }) => guardrail_id === id)
      .map(({ key_hash: hash, key_name }) => ({
        what: `key ${key_name === "" ? formatId(hash) : key_name}`,
        path: `${toBase(id)}/keys/remove`,
        body: { key_hashes: [hash] }
      })),
    ...members
      .filter(({ guardrail_id }) => guardrail_id === id)
      .map(({ user_id: user }) => ({
        what: `member ${user}`,
        path: `${toBase(id)}/members/remove`,
        body: { member_user_ids: [user] }
      }))
  ]
  if (bound.length === 0) return <span class="muted">nobody</span>
  return (
    <ul class="plain">
      {bound.map(({ body, path, what }) => (
        <li key={path + what}>
          {what}{" "}
          {isAllowed(session, "guardrails") && (
            <ActionButton
              label="Unassign"
              isDestructive
              about={`${name} from the ${what}`}
              run={async () => {
                await act(session, "POST", path, body)
                return {
                  text: "The guardrail does not bind it any more.",
                  undo: async () => {
                    await act(session, "POST", path.slice(0, -"/remove".length), body)
                    return "The guardrail is assigned again."
                  }
                }
              }}
              onDone={reload}
            >
              Its restrictions and its limit end for the {what}.
            </ActionButton>
          )}
        </li>
      ))}
    </ul>
  )
}
