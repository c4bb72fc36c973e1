/** An account fixture with one of each resource, and a request of every operation for it. */
import { createHash, randomUUID } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import type { Operation } from "@signalbox/core/adapter"
import { imageOf } from "@signalbox/testing"
import type { HttpResponse } from "./HttpResponse.ts"
import type { Deliver } from "./makeDeliver.ts"
import { makeDecisionRequest } from "./AccountTestServer.ts"
import { getProperty } from "./getProperty.ts"
import { videoRequest } from "./fakeVideoProvider.ts"

export interface AccountFixture {
  readonly workspace: string
  /** The slug of the workspace. */
  readonly slug: string
  /** The slug of a customer, which only the host's own account has. */
  readonly customer: string
  /** The id of a signing secret of its webhook. */
  readonly signing: string
  readonly guardrail: string
  readonly credential: string
  /** The id of a budget of a model. */
  readonly budget: string
  readonly alertRule: string
  readonly savedView: string
  /** The hash of a key. */
  readonly key: string
  readonly generation: string
  /** The id of the delivery of an event. */
  readonly delivery: string
  /** The id of a completed video job. */
  readonly video: string
  readonly user: string
  /** The slug of a preset of the workspace, and of one of the default workspace. */
  readonly preset: string
  /** The name of a secret in the vault of the workspace. */
  readonly vaultSecret: string
  /** The id of an intern whose vault has a secret of this name as well. */
  readonly intern: string
}

/** A fixture with ids of resources that do not exist. */
export const missingFixture = (): AccountFixture => ({
  workspace: randomUUID(),
  slug: toSlug(randomUUID()),
  customer: toCustomerSlug(randomUUID()),
  signing: randomUUID(),
  guardrail: randomUUID(),
  credential: randomUUID(),
  budget: randomUUID(),
  alertRule: randomUUID(),
  savedView: randomUUID(),
  key: createHash("sha256").update(randomUUID()).digest("hex"),
  generation: `gen-dec-1796000000-${randomUUID().replaceAll("-", "").slice(0, 20)}`,
  delivery: `${randomUUID()}-completed`,
  video: `gen-vid-1796000000-${randomUUID().replaceAll("-", "").slice(0, 20)}`,
  user: toUser(randomUUID()),
  preset: toPresetSlug(randomUUID()),
  vaultSecret: toVaultSecretName(randomUUID()),
  intern: `intern_${randomUUID().replaceAll("-", "").slice(0, 20)}`
})

const toSlug = (id: string): string => `lab-${id}`
const toCustomerSlug = (id: string): string => `shop-${id}`
const toUser = (id: string): string => `mem-${id}`
const toPresetSlug = (id: string): string => `tone-${id}`
const toVaultSecretName = (id: string): string => `secret_${id.replaceAll("-", "")}`
const vaultSecretBody = { value: "a secret of somebody", hosts: ["api.example.com"] }

const alertRuleBody = { name: "pager", thresholds: [{ percent: 90 }] }
const savedViewBody = { name: "slow", filters: { min_latency: "2000" }, sort: "latency" }
const budgetBody = { scope: { model: "proof/other" }, limit_usd: 5, reset_interval: null }

/** Sends a request to `path`, relative to the mount, with one key. */
export type SendRequest = (method: string, path: string, body?: unknown) => Promise<HttpResponse>

/** Creates one of each resource and returns the ids with the secret of the user's key for the workspace. */
export const createAccountFixture = async (
  manage: SendRequest,
  askWith: (secret: string) => SendRequest,
  deliver: Deliver
): Promise<AccountFixture & { readonly secret: string }> => {
  const id = randomUUID()
  const [slug, user] = [toSlug(id), toUser(id)]
  const make = async (method: string, path: string, body?: unknown): Promise<HttpResponse> => {
    const answer = await manage(method, `/api/v1${path}`, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`)
    return answer
  }
  const made = async (path: string, body?: unknown, name = "id"): Promise<string> =>
    String(getProperty(getProperty((await make("POST", path, body)).body, "data"), name))

  const workspace = await made("/workspaces", { name: "Lab", slug, keep_content: true })
  const workspace_id = workspace
  await make("PUT", `/workspaces/${workspace}/budgets/weekly`, { limit_usd: 5 })
  await make("POST", `/workspaces/${workspace}/members/add`, { user_ids: [user] })
  const customer = toCustomerSlug(id)
  // Refused in other accounts.
  await manage("POST", "/api/v1/signalbox/customers", { slug: customer, bundle: "plain" })
  const credential = await made("/byok", { provider: "first", key: `sk-of-${id}`, workspace_id })
  const guardrail = await made("/guardrails", { name: "lab", workspace_id })
  const budget = await made("/signalbox/budgets", { ...budgetBody, workspace_id })
  const alertRule = await made("/signalbox/alert-rules", { ...alertRuleBody, workspace_id })
  const savedView = await made("/signalbox/saved-views", { ...savedViewBody, workspace_id })
  const issued = await make("POST", "/keys", { name: "lab", workspace_id, creator_user_id: user })
  const key = String(getProperty(getProperty(issued.body, "data"), "hash"))
  const secret = String(getProperty(issued.body, "key"))
  const vaultSecret = toVaultSecretName(id)
  await askWith(secret)("PUT", `/api/v1/vault/secrets/${vaultSecret}`, vaultSecretBody)
  const preset = toPresetSlug(id)
  for (const ask of [manage, askWith(secret)]) {
    await ask("POST", `/api/v1/presets/${preset}/chat/completions`, chatBody)
  }
  const hired = await askWith(secret)("POST", "/api/v1/interns", { name: "ada", workspace_id })
  const intern = String(getProperty(hired.body, "id"))
  await askWith(secret)(
    "PUT",
    `/api/v1/vault/interns/${intern}/secrets/${vaultSecret}`,
    vaultSecretBody
  )
  // The video completes before the webhook exists, so it causes no delivery.
  const video = await createCompletedVideo(askWith(secret))
  const webhook = `/signalbox/workspaces/${workspace}/webhook`
  await make("PUT", webhook, { callback_url: "https://hooks.example/lab" })
  const signing = await made(`${webhook}/secrets`)
  const assignments = `/guardrails/${guardrail}/assignments`
  await make("POST", `${assignments}/keys`, { key_hashes: [key] })
  await make("POST", `${assignments}/members`, { member_user_ids: [user] })
  const decision = await askWith(secret)("POST", "/api/alpha/decisions", makeDecisionRequest())
  const generation = String(getProperty(decision.body, "id"))
  const delivery = await deliver(workspace)
  return {
    workspace,
    slug,
    customer,
    signing,
    guardrail,
    credential,
    budget,
    alertRule,
    savedView,
    key,
    generation,
    delivery,
    video,
    user,
    preset,
    vaultSecret,
    intern,
    secret
  }
}

const createCompletedVideo = async (ask: SendRequest): Promise<string> => {
  const submitted = await ask("POST", "/api/v1/videos", videoRequest)
  const id = String(getProperty(submitted.body, "id"))
  for (let looks = 0; looks < 1_000; looks++) {
    const { body } = await ask("GET", `/api/v1/videos/${id}`)
    if (getProperty(body, "status") === "completed") return id
    await setTimeout(5)
  }
  throw new Error(`no video: ${submitted.text}`)
}

/** The permission that an operation requires. */
export type Permission =
  | "nothing"
  | "a key"
  | "a key that runs models"
  | "a key of a workspace"
  | "a key that talks to interns"
  | "a management key"
  | "a management key of the host's own account"

/** A request of an operation for a resource of a fixture. */
export interface OperationCase {
  readonly permission: Permission
  /** The status for the owner. */
  readonly status: 200 | 201 | 202 | 204 | ExpectedError
  readonly query?: string
  readonly body?: unknown
  /** The error for other callers; absent when the operation concerns no owned resource. */
  readonly foreign?: ExpectedError
  /** Whether the default workspace has such a resource, too. */
  readonly isOfDefaultWorkspace?: true
}

export interface ExpectedError {
  /** The status, too, unless that is said. */
  readonly code: number | string
  readonly message: string
  readonly metadata?: object
  readonly status?: number
}

export const toStatus = ({ code, status = Number(code) }: ExpectedError): number => status

const makeNotFound = (what: string): ExpectedError => ({
  code: 404,
  message: `There is no such ${what}`,
  metadata: { error_type: "not_found" }
})

const generationNotFound: ExpectedError = makeNotFound(
  "generation: requests that failed before they were routed are in GET signalbox/failed-requests"
)

const makeInvalid = (path: string, problem: string): ExpectedError => ({
  code: 400,
  message: `${path}: ${problem}`,
  metadata: { error_type: "invalid_request", path: [path] }
})

type OperationOverrides = Omit<OperationCase, "permission" | "status">

const publicOperation: OperationCase = { permission: "nothing", status: 200 }
const keyOperation: OperationCase = { permission: "a key", status: 200 }
const modelOperation: OperationCase = {
  permission: "a key that runs models",
  status: 200,
  body: makeDecisionRequest()
}
const managementOperation = (rest: OperationOverrides = {}): OperationCase => ({
  permission: "a management key",
  status: 200,
  ...rest
})
const presetOperation: OperationCase = {
  ...keyOperation,
  foreign: makeNotFound("preset"),
  isOfDefaultWorkspace: true
}
const workspaceOperation: OperationCase = { permission: "a key of a workspace", status: 200 }
const operatorOperation: OperationCase = {
  permission: "a management key of the host's own account",
  status: 200
}
const creationOperation = (rest: OperationOverrides): OperationCase => ({
  permission: "a management key",
  status: 201,
  ...rest
})
/** Creates an error in the format of the interns API. */
const makeInternError = (
  status: number,
  code: number | string,
  message: string,
  reason: string
) => ({
  status,
  code,
  message,
  metadata: { reason, retryable: false }
})
const internNotFound = makeInternError(404, "not_found", "There is no such intern", "not_found")
const otherWorkspace = makeInternError(
  403,
  403,
  "workspace_id must be the workspace of the key",
  "other_workspace"
)
const internStopped = makeInternError(
  409,
  409,
  "The intern is stopped, and cannot be suspended",
  "wrong_status"
)
const withField = (what: string, body?: unknown): OperationOverrides => ({
  foreign: makeNotFound(what),
  body
})

/** A chat without streaming. */
const chatBody = { model: "proof/model", messages: [{ role: "user", content: "Is it urgent?" }] }

const imageBody = { model: "proof/paint", prompt: "A lighthouse at night" }

const responsesBody = { model: "proof/model", input: "Is it urgent?" }

/** The cases of all operations of the contract, by group and name. */
export const makeOperationCases = (
  accounts: AccountFixture
): Readonly<Record<string, OperationCase>> => {
  const { credential, generation, key, user } = accounts
  return {
    ".document": publicOperation,
    "probes.live": publicOperation,
    "probes.ready": publicOperation,
    ".reference": publicOperation,

    "decisions.create": modelOperation,
    "decisions.createUnderBase": modelOperation,
    "decisions.systemone": modelOperation,

    "chat.complete": { ...modelOperation, body: chatBody },
    "embeddings.create": {
      ...modelOperation,
      body: { model: "proof/vectors", input: "Is it calm?" }
    },
    "rerank.create": {
      ...modelOperation,
      body: { model: "proof/vectors", query: "Is it calm?", documents: ["It is."] }
    },
    "responses.create": { ...modelOperation, body: responsesBody },
    "messages.create": { ...modelOperation, body: chatBody },
    "messages.countTokens": { ...modelOperation, body: chatBody },

    "images.create": { ...modelOperation, body: imageBody },
    "images.generate": { ...modelOperation, body: imageBody },
    "images.edit": {
      ...modelOperation,
      body: { ...imageBody, image: `data:image/png;base64,${imageOf()}` }
    },
    "speech.create": {
      ...modelOperation,
      body: { model: "proof/voice", input: "It is calm.", voice: "alloy" }
    },
    "transcription.create": {
      ...modelOperation,
      body: { model: "proof/ears", input_audio: { data: "UklGRg==", format: "wav" } }
    },
    "imageModels.list": keyOperation,
    "imageModels.listEndpoints": keyOperation,

    "models.list": keyOperation,
    "models.count": keyOperation,
    "models.listAccessible": keyOperation,
    "models.get": keyOperation,
    "models.listEmbeddings": publicOperation,
    "models.getById": keyOperation,
    "endpoints.list": keyOperation,
    "endpoints.listZdr": keyOperation,
    "providers.list": keyOperation,
    "videos.listModels": keyOperation,

    "generations.get": {
      ...keyOperation,
      query: `?id=${generation}`,
      foreign: generationNotFound
    },
    "generations.getContent": {
      ...keyOperation,
      query: `?id=${generation}`,
      foreign: makeNotFound("kept content")
    },
    "generations.submitFeedback": managementOperation({
      body: { generation_id: generation, category: "other" },
      foreign: generationNotFound
    }),
    "generations.listFeedback": managementOperation(),
    "generations.list": managementOperation(),
    "generations.getRecord": managementOperation({ foreign: generationNotFound }),
    "generations.previewReplay": managementOperation({
      body: {},
      foreign: makeNotFound("kept content")
    }),
    "generations.replay": managementOperation({ body: {}, foreign: makeNotFound("kept content") }),
    "credits.get": managementOperation(),

    "interns.create": {
      ...workspaceOperation,
      status: 201,
      body: { name: "eve", workspace_id: accounts.workspace },
      foreign: otherWorkspace
    },
    "interns.list": workspaceOperation,
    "interns.get": { ...workspaceOperation, foreign: internNotFound },
    "interns.update": {
      ...workspaceOperation,
      body: { description: "other" },
      foreign: internNotFound
    },
    "interns.delete": { ...workspaceOperation, status: 202, foreign: internNotFound },
    "interns.provision": { ...workspaceOperation, status: 202, foreign: internNotFound },
    "interns.suspend": {
      ...workspaceOperation,
      status: { ...internStopped, metadata: { ...internStopped.metadata, status: "stopped" } },
      foreign: internNotFound
    },

    "interns.chat": {
      permission: "a key that talks to interns",
      status: {
        code: 409,
        message: "The intern is stopped, and answers when it is running",
        metadata: { reason: "intern_not_ready", retryable: true }
      },
      body: { messages: [{ role: "user", content: "Is it calm?" }], stream: true },
      foreign: { ...internNotFound, code: 404 }
    },

    "keys.getCurrent": keyOperation,
    "keys.list": managementOperation(),
    "keys.create": creationOperation({ body: { name: "another" } }),
    "keys.get": managementOperation(withField("API key")),
    "keys.update": managementOperation(withField("API key", { name: "other" })),
    "keys.delete": managementOperation(withField("API key")),
    "keys.rotate": managementOperation(withField("API key", {})),
    "keys.setRateLimit": managementOperation(withField("API key", { rate_limit: null })),

    "account.get": managementOperation(),
    "account.update": managementOperation({ body: { zdr: null } }),
    "activity.list": managementOperation(),
    "audit.list": managementOperation(),
    "failedRequests.list": managementOperation(),
    "sessions.list": managementOperation(),
    "series.get": managementOperation({ query: "?from=2026-01-01&to=2030-01-01" }),
    "series.forecast": managementOperation(),
    "series.exportSpend": managementOperation(),
    "people.export": managementOperation({ body: { user: "nobody" } }),
    "people.erase": managementOperation({ body: { user: "nobody" } }),
    "limits.list": managementOperation(),
    "limits.getPeriods": managementOperation(),
    "budgets.list": managementOperation(),
    "budgets.create": creationOperation({ body: budgetBody }),
    "budgets.get": managementOperation(withField("budget")),
    "budgets.update": managementOperation(withField("budget", { limit_usd: 6 })),
    "budgets.delete": managementOperation(withField("budget")),
    "alerts.list": managementOperation(),
    "savedViews.list": managementOperation(),
    "savedViews.create": creationOperation({ body: savedViewBody }),
    "savedViews.get": managementOperation(withField("saved view")),
    "savedViews.update": managementOperation(withField("saved view", { name: "other" })),
    "savedViews.delete": managementOperation(withField("saved view")),
    "alertRules.list": managementOperation(),
    "alertRules.create": creationOperation({ body: alertRuleBody }),
    "alertRules.get": managementOperation(withField("alert rule")),
    "alertRules.update": managementOperation(withField("alert rule", { name: "other" })),
    "alertRules.delete": managementOperation(withField("alert rule")),
    "analytics.getMeta": managementOperation(),
    "analytics.query": managementOperation({ body: { metrics: ["request_count"] } }),

    "calibration.label": {
      ...keyOperation,
      status: {
        code: 400,
        message: `The generation ${generation} cannot be labelled: only a Decision answered with calibration: { mode: "auto" } can`,
        metadata: { reason: "not_labelable", retryable: false }
      },
      body: { generation_id: generation, labels: { urgent: true } },
      foreign: generationNotFound
    },
    "calibration.get": managementOperation(),
    "calibration.refit": managementOperation(),
    "calibration.forget": managementOperation(),
    "escalation.report": managementOperation({ query: "?from=proof/model&to=proof/other" }),

    "customers.list": operatorOperation,
    "customers.create": {
      ...operatorOperation,
      status: 201,
      body: { slug: toCustomerSlug(randomUUID()), bundle: "plain" }
    },
    "customers.get": operatorOperation,
    "customers.update": { ...operatorOperation, body: { name: "Shop" } },
    "customers.suspend": { ...operatorOperation, body: { reason: "unpaid" } },
    "customers.resume": operatorOperation,
    "customers.usage": operatorOperation,
    "customers.delete": operatorOperation,
    "experiments.list": operatorOperation,
    "experiments.restart": { ...operatorOperation, status: makeNotFound("experiment") },
    "experiments.stop": { ...operatorOperation, status: makeNotFound("experiment") },
    "incidents.list": operatorOperation,
    "live.listEndpoints": operatorOperation,
    "traffic.listControls": operatorOperation,
    "traffic.previewControl": { ...operatorOperation, query: "?kind=provider&id=first" },
    "traffic.setControl": { ...operatorOperation, body: { kind: "provider", id: "first" } },
    "live.listModels": operatorOperation,
    "live.listProcesses": operatorOperation,
    "live.listProviders": operatorOperation,
    "live.watchEndpoints": { ...operatorOperation, query: "?count=1" },

    "deliveries.list": managementOperation(),
    "deliveries.get": managementOperation(withField("delivery")),
    "deliveries.redeliver": { ...managementOperation(withField("delivery")), status: 202 },

    "byok.list": managementOperation(),
    "byok.create": creationOperation({ body: { provider: "first", key: "sk-another" } }),
    "byok.get": managementOperation(withField("credential")),
    "byok.update": managementOperation(withField("credential", { name: "other" })),
    "byok.delete": managementOperation(withField("credential")),
    "byok.listStates": managementOperation(),
    "byok.reorder": managementOperation({
      body: { ids: [credential] },
      foreign: makeInvalid("ids", "names a credential there is not")
    }),

    "presets.list": keyOperation,
    "presets.get": presetOperation,
    "presets.listVersions": presetOperation,
    "presets.getVersion": presetOperation,
    "presets.saveChat": { ...keyOperation, body: chatBody },
    "presets.saveMessages": { ...keyOperation, body: chatBody },
    "presets.saveResponses": { ...keyOperation, body: responsesBody },
    "presets.update": managementOperation(withField("preset", { description: "other" })),
    "presets.delete": managementOperation(withField("preset")),

    "oAuth.createCode": { ...keyOperation, body: { code_challenge: "c".repeat(43) } },
    "oAuth.exchangeCode": {
      permission: "nothing",
      status: {
        code: 400,
        message: "Invalid request: the body is not valid JSON",
        metadata: { error_type: "invalid_request", path: [] }
      }
    },
    "organization.listMembers": managementOperation(),

    "guardrails.list": managementOperation(),
    "guardrails.create": creationOperation({ body: { name: "another" } }),
    "guardrails.get": managementOperation(withField("guardrail")),
    "guardrails.update": managementOperation(withField("guardrail", { description: "other" })),
    "guardrails.delete": managementOperation(withField("guardrail")),
    "guardrails.listAllKeyAssignments": managementOperation(),
    "guardrails.listAllMemberAssignments": managementOperation(),
    "guardrails.listKeyAssignments": managementOperation(withField("guardrail")),
    "guardrails.listMemberAssignments": managementOperation(withField("guardrail")),
    "guardrails.assignKeys": managementOperation(withField("guardrail", { key_hashes: [key] })),
    "guardrails.unassignKeys": managementOperation(withField("guardrail", { key_hashes: [key] })),
    "guardrails.assignMembers": managementOperation(
      withField("guardrail", { member_user_ids: [user] })
    ),
    "guardrails.unassignMembers": managementOperation(
      withField("guardrail", { member_user_ids: [user] })
    ),

    "workspaces.list": managementOperation(),
    "workspaces.create": creationOperation({
      body: { name: "Another", slug: toSlug(randomUUID()) }
    }),
    "workspaces.get": managementOperation(withField("workspace")),
    "workspaces.update": managementOperation(withField("workspace", { description: "other" })),
    "workspaces.delete": managementOperation(withField("workspace")),
    "workspaces.listMembers": managementOperation(withField("workspace")),
    "workspaces.addMembers": managementOperation(withField("workspace", { user_ids: ["mem-new"] })),
    "workspaces.removeMembers": managementOperation(withField("workspace", { user_ids: [user] })),
    "workspaces.listBudgets": managementOperation(withField("workspace")),
    "workspaces.getBudget": managementOperation(withField("workspace")),
    "workspaces.setBudget": managementOperation(withField("workspace", { limit_usd: 6 })),
    "workspaces.deleteBudget": managementOperation(withField("workspace")),

    "videos.submit": { ...modelOperation, body: videoRequest, status: 202 },
    "videos.get": { ...modelOperation, body: undefined, foreign: makeNotFound("video") },
    "videos.download": { ...modelOperation, body: undefined, foreign: makeNotFound("video") },
    "videos.list": managementOperation(),
    "videos.cancel": { ...keyOperation, foreign: makeNotFound("video") },

    "vaults.list": workspaceOperation,
    "vaults.put": { ...workspaceOperation, body: vaultSecretBody },
    "vaults.delete": { ...workspaceOperation, status: 204, foreign: makeNotFound("secret") },
    "vaults.listForIntern": { ...workspaceOperation, foreign: makeNotFound("intern") },
    "vaults.putForIntern": {
      ...workspaceOperation,
      body: vaultSecretBody,
      foreign: makeNotFound("intern")
    },
    "vaults.deleteForIntern": {
      ...workspaceOperation,
      status: 204,
      foreign: makeNotFound("intern")
    },
    "vaults.copyToIntern": {
      ...workspaceOperation,
      body: { names: [accounts.vaultSecret] },
      foreign: makeNotFound("intern")
    },

    "webhooks.get": managementOperation(withField("workspace")),
    "webhooks.set": managementOperation(withField("workspace", { callback_url: null })),
    "webhooks.delete": managementOperation(withField("workspace")),
    "webhooks.test": managementOperation(withField("workspace")),
    "webhooks.listSecrets": managementOperation(withField("workspace")),
    "webhooks.createSecret": creationOperation(withField("workspace")),
    "webhooks.deleteSecret": managementOperation(withField("workspace")),

    "reports.health": operatorOperation,
    "recordings.list": operatorOperation,
    "reports.listDeadSteps": operatorOperation,
    "reports.metrics": operatorOperation,
    "reports.plan": managementOperation({ body: { request: makeDecisionRequest() } })
  }
}

export const toOperationName = ({ group, name }: Operation): string => `${group}.${name}`

/** The path of the operation, relative to the mount. */
export const toPath = (operation: Operation, accounts: AccountFixture): string =>
  operation.path.replace(/:(\w+)/g, (_, parameter: string) => {
    const parameters = toPathParameters(accounts)
    const id = (parameters[toOperationName(operation)] ?? parameters[operation.group])?.[parameter]
    if (id === undefined) throw new Error(`no value for ${parameter} of ${operation.path}`)
    return id
  })

const toPathParameters = ({
  alertRule,
  savedView,
  budget,
  credential,
  customer,
  delivery,
  generation,
  guardrail,
  intern,
  key,
  preset,
  signing,
  vaultSecret,
  video,
  workspace
}: AccountFixture) => {
  const parameters: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    alertRules: { id: alertRule },
    savedViews: { id: savedView },
    budgets: { id: budget },
    byok: { id: credential },
    customers: { slug: customer },
    endpoints: { author: "proof", slug: "model" },
    imageModels: { author: "proof", slug: "paint" },
    models: { author: "proof", slug: "model" },
    "models.getById": { id: "proof%2Fmodel" },
    deliveries: { id: delivery },
    experiments: { id: "unknown" },
    "generations.getRecord": { id: generation },
    "generations.previewReplay": { id: generation },
    "generations.replay": { id: generation },
    guardrails: { id: guardrail },
    keys: { hash: key },
    presets: { slug: preset, version: "1" },
    // These make the preset.
    "presets.saveChat": { slug: toPresetSlug("another") },
    "presets.saveMessages": { slug: toPresetSlug("another") },
    "presets.saveResponses": { slug: toPresetSlug("another") },
    interns: { internId: intern },
    vaults: { internId: intern, name: vaultSecret },
    // The operation creates the secret, so the name must be new.
    "vaults.put": { name: toVaultSecretName("another") },
    videos: { jobId: video },
    webhooks: { id: workspace, secretId: signing },
    workspaces: { id: workspace, workspace_ref: workspace, interval: "weekly" }
  }
  return parameters
}
