/** One of everything that an account may have, and how every operation of the contract asks for it. */
import { createHash, randomUUID } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import type { Operation } from "@signalbox/core/adapter"
import type { Answer } from "./Answer.ts"
import type { Deliver } from "./deliver.ts"
import { asked } from "./ObservedStage.ts"
import { property } from "./property.ts"
import { filming } from "./studio.ts"

export interface Estate {
  readonly workspace: string
  /** Of the workspace. */
  readonly slug: string
  /** The id of a signing secret of its webhook. */
  readonly signing: string
  readonly guardrail: string
  readonly credential: string
  /** The hash of a key. */
  readonly key: string
  readonly generation: string
  /** Of an event. */
  readonly delivery: string
  /** Of a completed job. */
  readonly video: string
  readonly user: string
  /** The name of a secret in the vault of the workspace. */
  readonly vaulted: string
  /** The id of an intern, in whose vault there is such a secret too. */
  readonly intern: string
}

/** What was never there, in the shape of what is. */
export const nowhere = (): Estate => ({
  workspace: randomUUID(),
  slug: slugOf(randomUUID()),
  signing: randomUUID(),
  guardrail: randomUUID(),
  credential: randomUUID(),
  key: createHash("sha256").update(randomUUID()).digest("hex"),
  generation: `gen-dec-1796000000-${randomUUID().replaceAll("-", "").slice(0, 20)}`,
  delivery: `${randomUUID()}-completed`,
  video: `gen-vid-1796000000-${randomUUID().replaceAll("-", "").slice(0, 20)}`,
  user: userOf(randomUUID()),
  vaulted: vaultedOf(randomUUID()),
  intern: `intern_${randomUUID().replaceAll("-", "").slice(0, 20)}`
})

const slugOf = (id: string): string => `lab-${id}`
const userOf = (id: string): string => `mem-${id}`
const vaultedOf = (id: string): string => `secret_${id.replaceAll("-", "")}`
const vaulting = { value: "a secret of somebody", hosts: ["api.example.com"] }

/** Asks for `path`, which is below the mount, with one key. */
export type Ask = (method: string, path: string, body?: unknown) => Promise<Answer>

/** Makes one of everything; gives the secret of the key with it, which opens the workspace for the user. */
export const furnish = async (
  manage: Ask,
  askWith: (secret: string) => Ask,
  deliver: Deliver
): Promise<Estate & { readonly secret: string }> => {
  const id = randomUUID()
  const [slug, user] = [slugOf(id), userOf(id)]
  const make = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const answer = await manage(method, `/api/v1${path}`, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`)
    return answer
  }
  const made = async (path: string, body?: unknown, name = "id"): Promise<string> =>
    String(property(property((await make("POST", path, body)).body, "data"), name))

  const workspace = await made("/workspaces", { name: "Lab", slug })
  const workspace_id = workspace
  await make("PUT", `/workspaces/${workspace}/budgets/weekly`, { limit_usd: 5 })
  await make("POST", `/workspaces/${workspace}/members/add`, { user_ids: [user] })
  const credential = await made("/byok", { provider: "first", key: `sk-of-${id}`, workspace_id })
  const guardrail = await made("/guardrails", { name: "lab", workspace_id })
  const issued = await make("POST", "/keys", { name: "lab", workspace_id, creator_user_id: user })
  const key = String(property(property(issued.body, "data"), "hash"))
  const secret = String(property(issued.body, "key"))
  const vaulted = vaultedOf(id)
  await askWith(secret)("PUT", `/api/v1/vault/secrets/${vaulted}`, vaulting)
  const hired = await askWith(secret)("POST", "/api/v1/interns", { name: "ada", workspace_id })
  const intern = String(property(hired.body, "id"))
  await askWith(secret)("PUT", `/api/v1/vault/interns/${intern}/secrets/${vaulted}`, vaulting)
  // Before there is an address that would be told of it.
  const video = await filmed(askWith(secret))
  const webhook = `/signalbox/workspaces/${workspace}/webhook`
  await make("PUT", webhook, { callback_url: "https://hooks.example/lab" })
  const signing = await made(`${webhook}/secrets`)
  const assignments = `/guardrails/${guardrail}/assignments`
  await make("POST", `${assignments}/keys`, { key_hashes: [key] })
  await make("POST", `${assignments}/members`, { member_user_ids: [user] })
  const decision = await askWith(secret)("POST", "/api/alpha/decisions", asked())
  const generation = String(property(decision.body, "id"))
  const delivery = await deliver(workspace)
  return {
    workspace,
    slug,
    signing,
    guardrail,
    credential,
    key,
    generation,
    delivery,
    video,
    user,
    vaulted,
    intern,
    secret
  }
}

const filmed = async (ask: Ask): Promise<string> => {
  const submitted = await ask("POST", "/api/v1/videos", filming)
  const id = String(property(submitted.body, "id"))
  for (let looks = 0; looks < 1_000; looks++) {
    const { body } = await ask("GET", `/api/v1/videos/${id}`)
    if (property(body, "status") === "completed") return id
    await setTimeout(5)
  }
  throw new Error(`no video: ${submitted.text}`)
}

/** Who may use an operation: whoever comes by, whoever has a key, who runs models, who manages. */
export type Needs =
  | "nothing"
  | "a key"
  | "a key that runs models"
  | "a key of a workspace"
  | "a key that talks to interns"
  | "a management key"
  | "a management key of the host's own account"

/** How an operation is asked for something of an estate. */
export interface Asking {
  readonly needs: Needs
  /** What its owner is answered. */
  readonly status: 200 | 201 | 202 | 204 | Refused
  readonly query?: string
  readonly body?: unknown
  /** What somebody is told who does not own it; absent: it is about nothing that has an owner. */
  readonly foreign?: Refused
}

export interface Refused {
  /** The status, too, unless that is said. */
  readonly code: number | string
  readonly message: string
  readonly metadata?: object
  readonly status?: number
}

export const statusOf = ({ code, status = Number(code) }: Refused): number => status

const noSuch = (what: string): Refused => ({
  code: 404,
  message: `There is no such ${what}`,
  metadata: { error_type: "not_found" }
})

const invalid = (path: string, problem: string): Refused => ({
  code: 400,
  message: `${path}: ${problem}`,
  metadata: { error_type: "invalid_request", path: [path] }
})

type Rest = Omit<Asking, "needs" | "status">

const open: Asking = { needs: "nothing", status: 200 }
const keyed: Asking = { needs: "a key", status: 200 }
const runs: Asking = { needs: "a key that runs models", status: 200, body: asked() }
const managed = (rest: Rest = {}): Asking => ({ needs: "a management key", status: 200, ...rest })
const ofWorkspace: Asking = { needs: "a key of a workspace", status: 200 }
const operated: Asking = { needs: "a management key of the host's own account", status: 200 }
const creates = (rest: Rest): Asking => ({ needs: "a management key", status: 201, ...rest })
/** In the words of interns. */
const ofIntern = (status: number, code: number | string, message: string, reason: string) => ({
  status,
  code,
  message,
  metadata: { reason, retryable: false }
})
const noIntern = ofIntern(404, "not_found", "There is no such intern", "not_found")
const otherWorkspace = ofIntern(
  403,
  403,
  "workspace_id must be the workspace of the key",
  "other_workspace"
)
const stopped = ofIntern(409, 409, "The intern is stopped, and cannot be suspended", "wrong_status")
const of = (what: string, body?: unknown): Rest => ({ foreign: noSuch(what), body })

/** Answered whole by the provider of an observed stage. */
const chatting = { model: "proof/model", messages: [{ role: "user", content: "Is it urgent?" }] }

/** Every operation of the contract, by group and name. */
export const askings = (estate: Estate): Readonly<Record<string, Asking>> => {
  const { credential, generation, key, user } = estate
  return {
    ".document": open,
    "probes.live": open,
    "probes.ready": open,
    ".reference": open,

    "decisions.create": runs,
    "decisions.createUnderBase": runs,
    "decisions.systemone": runs,

    "chat.complete": { ...runs, body: chatting },

    "catalog.models": keyed,
    "catalog.count": keyed,
    "catalog.userModels": keyed,
    "catalog.model": keyed,
    "catalog.endpoints": keyed,
    "catalog.zdrEndpoints": keyed,
    "catalog.providers": keyed,
    "catalog.videoModels": keyed,

    "records.generation": { ...keyed, query: `?id=${generation}`, foreign: noSuch("generation") },
    "records.credits": managed(),

    "interns.create": {
      ...ofWorkspace,
      status: 201,
      body: { name: "eve", workspace_id: estate.workspace },
      foreign: otherWorkspace
    },
    "interns.list": ofWorkspace,
    "interns.get": { ...ofWorkspace, foreign: noIntern },
    "interns.update": { ...ofWorkspace, body: { description: "other" }, foreign: noIntern },
    "interns.delete": { ...ofWorkspace, status: 202, foreign: noIntern },
    "interns.provision": { ...ofWorkspace, status: 202, foreign: noIntern },
    "interns.suspend": {
      ...ofWorkspace,
      status: { ...stopped, metadata: { ...stopped.metadata, status: "stopped" } },
      foreign: noIntern
    },

    "internChats.chat": {
      needs: "a key that talks to interns",
      status: {
        code: 409,
        message: "The intern is stopped, and answers when it is running",
        metadata: { reason: "intern_not_ready", retryable: true }
      },
      body: { messages: [{ role: "user", content: "Is it calm?" }], stream: true },
      foreign: { ...noIntern, code: 404 }
    },

    "keys.current": keyed,
    "keys.list": managed(),
    "keys.create": creates({ body: { name: "another" } }),
    "keys.get": managed(of("API key")),
    "keys.update": managed(of("API key", { name: "other" })),
    "keys.delete": managed(of("API key")),
    "keys.rotate": managed(of("API key", {})),
    "keys.rateLimit": managed(of("API key", { rate_limit: null })),

    "accounts.get": managed(),
    "accounts.update": managed({ body: { zdr: null } }),
    "audit.list": managed(),

    "deliveries.list": managed(),
    "deliveries.get": managed(of("delivery")),
    "deliveries.redeliver": { ...managed(of("delivery")), status: 202 },

    "byok.list": managed(),
    "byok.create": creates({ body: { provider: "first", key: "sk-another" } }),
    "byok.get": managed(of("credential")),
    "byok.update": managed(of("credential", { name: "other" })),
    "byok.delete": managed(of("credential")),
    "byok.states": managed(),
    "byok.order": managed({
      body: { ids: [credential] },
      foreign: invalid("ids", "names a credential there is not")
    }),

    "guardrails.list": managed(),
    "guardrails.create": creates({ body: { name: "another" } }),
    "guardrails.get": managed(of("guardrail")),
    "guardrails.update": managed(of("guardrail", { description: "other" })),
    "guardrails.delete": managed(of("guardrail")),
    "guardrails.keyAssignments": managed(),
    "guardrails.memberAssignments": managed(),
    "guardrails.keyAssignmentsOf": managed(of("guardrail")),
    "guardrails.memberAssignmentsOf": managed(of("guardrail")),
    "guardrails.assignKeys": managed(of("guardrail", { key_hashes: [key] })),
    "guardrails.unassignKeys": managed(of("guardrail", { key_hashes: [key] })),
    "guardrails.assignMembers": managed(of("guardrail", { member_user_ids: [user] })),
    "guardrails.unassignMembers": managed(of("guardrail", { member_user_ids: [user] })),

    "workspaces.list": managed(),
    "workspaces.create": creates({ body: { name: "Another", slug: slugOf(randomUUID()) } }),
    "workspaces.get": managed(of("workspace")),
    "workspaces.update": managed(of("workspace", { description: "other" })),
    "workspaces.delete": managed(of("workspace")),
    "workspaces.members": managed(of("workspace")),
    "workspaces.addMembers": managed(of("workspace", { user_ids: ["mem-new"] })),
    "workspaces.removeMembers": managed(of("workspace", { user_ids: [user] })),
    "workspaces.budgets": managed(of("workspace")),
    "workspaces.budget": managed(of("workspace")),
    "workspaces.putBudget": managed(of("workspace", { limit_usd: 6 })),
    "workspaces.deleteBudget": managed(of("workspace")),

    "videos.create": { ...runs, body: filming, status: 202 },
    "videos.get": { ...runs, body: undefined, foreign: noSuch("video") },
    "videos.content": { ...runs, body: undefined, foreign: noSuch("video") },
    "videos.list": managed(),
    "videos.cancel": { ...keyed, foreign: noSuch("video") },

    "vault.list": ofWorkspace,
    "vault.put": { ...ofWorkspace, body: vaulting },
    "vault.delete": { ...ofWorkspace, status: 204, foreign: noSuch("secret") },
    "vault.listOfIntern": { ...ofWorkspace, foreign: noSuch("intern") },
    "vault.putOfIntern": { ...ofWorkspace, body: vaulting, foreign: noSuch("intern") },
    "vault.deleteOfIntern": { ...ofWorkspace, status: 204, foreign: noSuch("intern") },
    "vault.copyToIntern": {
      ...ofWorkspace,
      body: { names: [estate.vaulted] },
      foreign: noSuch("intern")
    },

    "webhooks.get": managed(of("workspace")),
    "webhooks.put": managed(of("workspace", { callback_url: null })),
    "webhooks.delete": managed(of("workspace")),
    "webhooks.secrets": managed(of("workspace")),
    "webhooks.createSecret": creates(of("workspace")),
    "webhooks.deleteSecret": managed(of("workspace")),

    "operations.health": operated,
    "operations.metrics": operated,
    "operations.plan": managed({ body: { request: asked() } })
  }
}

export const nameOf = ({ group, name }: Operation): string => `${group}.${name}`

/** The address of the operation, below the mount. */
export const pathOf = (operation: Operation, estate: Estate): string =>
  operation.path.replace(/:(\w+)/g, (_, parameter: string) => {
    const places = placesOf(estate)
    const id = (places[nameOf(operation)] ?? places[operation.group])?.[parameter]
    if (id === undefined) throw new Error(`nobody says what ${parameter} is in ${operation.path}`)
    return id
  })

const placesOf = ({
  credential,
  delivery,
  guardrail,
  intern,
  key,
  signing,
  vaulted,
  video,
  workspace
}: Estate) => {
  const places: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    byok: { id: credential },
    catalog: { author: "proof", slug: "model" },
    deliveries: { id: delivery },
    guardrails: { id: guardrail },
    keys: { hash: key },
    interns: { internId: intern },
    internChats: { internId: intern },
    vault: { internId: intern, name: vaulted },
    // Whoever asks for it has it from then on.
    "vault.put": { name: vaultedOf("another") },
    videos: { jobId: video },
    webhooks: { id: workspace, secretId: signing },
    workspaces: { id: workspace, workspace_ref: workspace, interval: "weekly" }
  }
  return places
}
