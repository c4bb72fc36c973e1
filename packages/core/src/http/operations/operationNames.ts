/** Which operations of the contract can be called in process, and what they are called there. */
import type { Api } from "../api/Api.ts"
import type { OperationId } from "../api/contractOperations.ts"

type Groups = (typeof Api)["groups"]

/** The endpoint of an operation. */
export type EndpointOf<Id extends OperationId> = Id extends `${infer Group}.${infer Name}`
  ? Group extends keyof Groups
    ? Name extends keyof Groups[Group]["endpoints"]
      ? Groups[Group]["endpoints"][Name]
      : never
    : never
  : never

/** `decide`, `chat`, `streamChat` and `explain` are calls of their own; the probes are for HTTP alone. */
export const operationNames = {
  audit: { list: "audit.list" },
  keys: {
    list: "keys.list",
    create: "keys.create",
    get: "keys.get",
    update: "keys.update",
    delete: "keys.delete",
    getCurrent: "keys.current",
    rotate: "keys.rotate",
    setRateLimit: "keys.rateLimit"
  },
  workspaces: {
    list: "workspaces.list",
    create: "workspaces.create",
    get: "workspaces.get",
    update: "workspaces.update",
    delete: "workspaces.delete",
    listMembers: "workspaces.members",
    addMembers: "workspaces.addMembers",
    removeMembers: "workspaces.removeMembers",
    listBudgets: "workspaces.budgets",
    getBudget: "workspaces.budget",
    setBudget: "workspaces.putBudget",
    deleteBudget: "workspaces.deleteBudget"
  }
} as const satisfies Readonly<Record<string, Readonly<Record<string, OperationId>>>>

export type OperationNames = typeof operationNames
