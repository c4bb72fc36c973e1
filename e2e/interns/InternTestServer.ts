/** A test server for interns: an instance in a host, with a scripted intern host. */
import { setTimeout as sleep } from "node:timers/promises"
import {
  defaultWorkspaceId,
  type Options,
  type SettingsShape,
  type Signalbox as Instance
} from "@signalbox/core"
import { Signalbox } from "@signalbox/node"
import { type InternCall, ScriptedInternHost } from "@signalbox/testing"
import { onTestFinished } from "vitest"
import type { HttpResponse } from "../support/HttpResponse.ts"
import { type Host, nodeHost } from "../support/hosts.ts"
import { getProperty } from "../support/getProperty.ts"
import { send, type SendOptions } from "../support/send.ts"
import { makeTestStores, withWorkspace } from "../support/testStores.ts"

export const internKeys = {
  member: "sk-proof-interns-member-6f10",
  /** The key of another member of the same workspace. */
  mate: "sk-proof-interns-mate-4a7e",
  /** A key of another workspace. */
  other: "sk-proof-interns-other-93bd",
  organization: "sk-proof-interns-organization-d1c8",
  management: "sk-proof-interns-management-27fa"
} as const

export const otherWorkspace = "5f0c6c1e-6a5b-4f6e-9f0e-0123456789ab"

export interface InternTestServerOptions {
  readonly host?: Host
  readonly mount?: string
  readonly settings?: Partial<SettingsShape>
  readonly eligibility?: NonNullable<Options["interns"]>["eligibility"]
  readonly options?: Partial<Options>
}

interface InternRequestOptions extends Omit<SendOptions, "body" | "method"> {
  readonly body?: unknown
  /** Empty: no key. */
  readonly key?: string
}

const timeoutMillis = 120_000

export const startInternTestServer = async (serverOptions: InternTestServerOptions = {}) => {
  const { host = nodeHost, mount = "", eligibility } = serverOptions
  const hosting = new ScriptedInternHost()
  const instance: Instance = await Signalbox.make({
    upstreams: [],
    models: [],
    sealing: { current: "k1", keys: { k1: "a sealing key that nobody is going to guess" } },
    keys: [
      { key: internKeys.member, kind: "member", user: "mem-1" },
      { key: internKeys.mate, kind: "member", user: "mem-2" },
      { key: internKeys.other, kind: "member", user: "mem-1", workspace: otherWorkspace },
      { key: internKeys.organization, kind: "organization" },
      { key: internKeys.management, kind: "management" }
    ],
    interns: { host: hosting.host, ...(eligibility === undefined ? undefined : { eligibility }) },
    ...serverOptions.options,
    ...withWorkspace(otherWorkspace, { ...makeTestStores(), ...serverOptions.options }),
    settings: { jobPollMillis: 10, ...serverOptions.settings }
  })
  const running = await host.start(instance, mount)
  onTestFinished(async () => {
    await running.close()
    await instance.close()
  })
  const root = running.origin + mount

  const ask = (
    method: string,
    path: string,
    { body, headers = {}, key = internKeys.member, ...sending }: InternRequestOptions = {}
  ): Promise<HttpResponse> =>
    send(`${root}/api/v1${path}`, {
      method,
      headers: {
        ...(key === "" ? undefined : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? undefined : { "content-type": "application/json" }),
        ...headers
      },
      body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
      ...sending
    })

  const create = (
    changes: Readonly<Record<string, unknown>> = {},
    asking: InternRequestOptions = {}
  ) => ask("POST", "/interns", { body: newIntern(changes), ...asking })
  /** Polls until the intern has one of these statuses. */
  const waitForStatus = async (
    id: string,
    ...statuses: ReadonlyArray<string>
  ): Promise<unknown> => {
    const start = Date.now()
    for (;;) {
      const { body, status, text } = await ask("GET", `/interns/${id}`)
      const now = status === 404 ? "gone" : String(getProperty(body, "status"))
      if (statuses.includes(now)) return body
      if (Date.now() - start > timeoutMillis) throw new Error(`${id} is still ${text}`)
      await sleep(5)
    }
  }
  /** Creates a running intern. */
  const createRunning = async (
    changes: Readonly<Record<string, unknown>> = {}
  ): Promise<string> => {
    const id = getId(await create({ provision: true, ...changes }))
    await waitForStatus(id, "running")
    return id
  }
  const manage = (path: string, body: object) =>
    ask("POST", path, { key: internKeys.management, body })
  /** Creates another workspace and a key of the same member in it. */
  const createOtherWorkspace = async () => {
    const made = await manage("/workspaces", { name: "Other", slug: "other" })
    const workspace = String(getProperty(getProperty(made.body, "data"), "id"))
    await manage(`/workspaces/${workspace}/members/add`, { user_ids: ["mem-1"] })
    const issued = await manage("/keys", {
      name: "other",
      workspace_id: workspace,
      creator_user_id: "mem-1"
    })
    return { workspace, key: String(getProperty(issued.body, "key")) }
  }
  return {
    instance,
    root,
    hosting,
    ask,
    create,
    until: waitForStatus,
    createRunning,
    createOtherWorkspace
  }
}

export type InternTestServer = Awaited<ReturnType<typeof startInternTestServer>>

export const newIntern = (changes: Readonly<Record<string, unknown>> = {}) => ({
  name: "ada",
  workspace_id: defaultWorkspaceId,
  ...changes
})

export const getId = ({ body, text }: HttpResponse): string => {
  const id = getProperty(body, "id")
  if (typeof id !== "string") throw new Error(`no intern: ${text}`)
  return id
}

/** The number of these calls to the intern host. */
export const countCalls = ({ hosting }: InternTestServer, call: InternCall): number =>
  hosting.listCalls().filter((each) => each === call).length
