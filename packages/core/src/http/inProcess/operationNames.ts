/** Which operations of the contract can be called in process, and what they are called there. */
import type { Api } from "../Api.ts"
import type { OperationId } from "../contractOperations.ts"

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
  account: { get: "accounts.get", update: "accounts.update" },
  audit: { list: "audit.list" },
  byok: {
    list: "byok.list",
    create: "byok.create",
    get: "byok.get",
    update: "byok.update",
    delete: "byok.delete",
    listStates: "byok.states",
    reorder: "byok.order"
  },
  credits: { get: "records.credits" },
  deliveries: { list: "deliveries.list", get: "deliveries.get", redeliver: "deliveries.redeliver" },
  endpoints: { list: "catalog.endpoints", listZdr: "catalog.zdrEndpoints" },
  generations: { get: "records.generation" },
  guardrails: {
    list: "guardrails.list",
    create: "guardrails.create",
    get: "guardrails.get",
    update: "guardrails.update",
    delete: "guardrails.delete",
    listAllKeyAssignments: "guardrails.keyAssignments",
    listAllMemberAssignments: "guardrails.memberAssignments",
    listKeyAssignments: "guardrails.keyAssignmentsOf",
    listMemberAssignments: "guardrails.memberAssignmentsOf",
    assignKeys: "guardrails.assignKeys",
    unassignKeys: "guardrails.unassignKeys",
    assignMembers: "guardrails.assignMembers",
    unassignMembers: "guardrails.unassignMembers"
  },
  interns: {
    create: "interns.create",
    list: "interns.list",
    get: "interns.get",
    update: "interns.update",
    delete: "interns.delete",
    provision: "interns.provision",
    suspend: "interns.suspend",
    chat: "internChats.chat"
  },
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
  models: {
    list: "catalog.models",
    count: "catalog.count",
    listAccessible: "catalog.userModels",
    get: "catalog.model"
  },
  providers: { list: "catalog.providers" },
  vaults: {
    list: "vault.list",
    put: "vault.put",
    delete: "vault.delete",
    listForIntern: "vault.listOfIntern",
    putForIntern: "vault.putOfIntern",
    deleteForIntern: "vault.deleteOfIntern",
    copyToIntern: "vault.copyToIntern"
  },
  videos: {
    submit: "videos.create",
    get: "videos.get",
    download: "videos.content",
    list: "videos.list",
    cancel: "videos.cancel",
    listModels: "catalog.videoModels"
  },
  webhooks: {
    get: "webhooks.get",
    set: "webhooks.put",
    delete: "webhooks.delete",
    listSecrets: "webhooks.secrets",
    createSecret: "webhooks.createSecret",
    deleteSecret: "webhooks.deleteSecret"
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
