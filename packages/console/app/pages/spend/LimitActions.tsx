/** Changes and deletes limits where they are shown, and sets new budgets. */
import { act, type ActionGroup, isAllowed, type Session } from "../../api/request.ts"
import type { Names } from "../../api/useNames.ts"
import { ActionButton } from "../../components/ActionButton.tsx"
import { FormButton } from "../../components/FormButton.tsx"
import {
  explainChange,
  type Limit,
  limitFields,
  makeNewBudgetFields,
  toLimitBody,
  toLimitValues,
  toNewBudget
} from "./limitForm.ts"

/** How the operation that sets a kind of limit is called. */
interface Target {
  readonly group: ActionGroup
  readonly method: "PATCH" | "PUT"
  readonly path: string
  /** Keys call the fields of a limit otherwise. */
  readonly isOfKey?: boolean
  readonly canDelete: boolean
}

/** Undefined for limits that the host sets. */
const findTarget = (limit: Limit): Target | undefined => {
  const { budget_id, guardrail_id, interval, key_hash, kind, workspace_id } = limit
  const id = encodeURIComponent
  if (kind === "workspace" && workspace_id !== null) {
    const path = `api/v1/workspaces/${id(workspace_id)}/budgets/${interval}`
    return { group: "budgets", method: "PUT", path, canDelete: true }
  }
  if (kind === "budget" && budget_id !== null) {
    const path = `api/v1/signalbox/budgets/${id(budget_id)}`
    return { group: "budgets", method: "PATCH", path, canDelete: true }
  }
  if (kind === "key" && key_hash !== null) {
    const path = `api/v1/keys/${id(key_hash)}`
    return { group: "keys", method: "PATCH", path, isOfKey: true, canDelete: false }
  }
  if (kind === "guardrail" && guardrail_id !== null) {
    const path = `api/v1/guardrails/${id(guardrail_id)}`
    return { group: "guardrails", method: "PATCH", path, canDelete: false }
  }
  return undefined
}

export const LimitActions = ({
  about,
  of: limit,
  reload,
  session
}: {
  readonly about: string
  readonly of: Limit
  readonly session: Session
  readonly reload: () => void
}) => {
  const target = findTarget(limit)
  if (target === undefined || !isAllowed(session, target.group)) return null
  const before = toLimitValues(limit)
  const set = (values: typeof before) => {
    const body = toLimitBody(values)
    const { limit_usd: usd, soft } = body
    return act(
      session,
      target.method,
      target.path,
      target.isOfKey === true
        ? { limit: usd, soft_limit: soft }
        : target.group === "guardrails"
          ? {
              limit_usd: usd,
              soft_limit: soft,
              reset_interval: limit.interval === "lifetime" ? null : limit.interval
            }
          : body
    )
  }
  return (
    <div class="row-actions">
      <FormButton
        label="Change"
        submit="Change limit"
        about={about}
        fields={limitFields}
        initial={before}
        explain={(values) => explainChange(values, limit.settled + limit.reserved)}
        run={async (values) => {
          await set(values)
          return {
            text: "The limit is changed.",
            undo: async () => {
              await set(before)
              return "The limit is as it was."
            }
          }
        }}
        onDone={reload}
      />
      {target.canDelete && (
        <ActionButton
          label="Delete"
          isDestructive
          about={about}
          run={async () => {
            await act(session, "DELETE", target.path)
            return {
              text: "The budget is deleted.",
              ...(target.method === "PUT" && {
                undo: async () => {
                  await set(before)
                  return "The budget is set again."
                }
              })
            }
          }}
          onDone={reload}
        >
          Nothing is refused for this budget from now on. Other limits still hold.
        </ActionButton>
      )}
    </div>
  )
}

export const NewBudget = ({
  names: { workspaces },
  reload,
  session
}: {
  readonly names: Names
  readonly session: Session
  readonly reload: () => void
}) => (
  <FormButton
    label="Set a budget"
    about=""
    isNew
    fields={makeNewBudgetFields(workspaces)}
    initial={{ workspace: workspaces[0]?.id ?? "", interval: "monthly" }}
    explain={({ interval, limit, scope, value = "" }) =>
      `What the workspace spends ${scope === "" || scope === undefined ? "on everything" : `on ${scope.replace("_", " ")} ${value}`} may reach ${limit ?? 0} USD${
        interval === "lifetime" ? "" : `, counted ${interval ?? ""}`
      }. It replaces a budget of the same workspace and interval.`
    }
    run={async (values) => {
      const { body, method, path } = toNewBudget(values)
      await act(session, method, path, body)
      return "The budget holds from now on."
    }}
    onDone={reload}
  />
)
