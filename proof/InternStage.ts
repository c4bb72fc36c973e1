/** Where interns play: a box in a host, between callers and a host of interns that does what a case says. */
import { setTimeout as sleep } from "node:timers/promises"
import {
  defaultWorkspaceId,
  type Options,
  type SettingsShape,
  type Signalbox as Box
} from "@signalbox/core"
import { Signalbox } from "@signalbox/node"
import { type InternCall, ScriptedInternHost } from "@signalbox/testing"
import { onTestFinished } from "vitest"
import type { Answer } from "./Answer.ts"
import { type Host, nodeHost } from "./hosts.ts"
import { property } from "./property.ts"
import { send, type Sending } from "./send.ts"
import { storesOfProofs, withWorkspace } from "./storesOfProofs.ts"

export const internKeys = {
  member: "sk-proof-interns-member-6f10",
  /** Of the same workspace. */
  mate: "sk-proof-interns-mate-4a7e",
  /** Of another workspace. */
  other: "sk-proof-interns-other-93bd",
  organization: "sk-proof-interns-organization-d1c8",
  management: "sk-proof-interns-management-27fa"
} as const

export const otherWorkspace = "5f0c6c1e-6a5b-4f6e-9f0e-0123456789ab"

export interface InternScene {
  readonly host?: Host
  readonly mount?: string
  readonly settings?: Partial<SettingsShape>
  readonly programme?: NonNullable<Options["interns"]>["programme"]
  readonly options?: Partial<Options>
}

interface Asking extends Omit<Sending, "body" | "method"> {
  readonly body?: unknown
  /** Empty: none. */
  readonly key?: string
}

const patienceMillis = 120_000

export const openInterns = async (scene: InternScene = {}) => {
  const { host = nodeHost, mount = "", programme } = scene
  const hosting = new ScriptedInternHost()
  const box: Box = await Signalbox.make({
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
    interns: { host: hosting.host, ...(programme === undefined ? undefined : { programme }) },
    ...scene.options,
    ...withWorkspace(otherWorkspace, { ...storesOfProofs(), ...scene.options }),
    settings: { jobPollMillis: 10, ...scene.settings }
  })
  const running = await host.start(box, mount)
  onTestFinished(async () => {
    await running.close()
    await box.close()
  })
  const root = running.origin + mount

  const ask = (
    method: string,
    path: string,
    { body, headers = {}, key = internKeys.member, ...sending }: Asking = {}
  ): Promise<Answer> =>
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

  const create = (changes: Readonly<Record<string, unknown>> = {}, asking: Asking = {}) =>
    ask("POST", "/interns", { body: newIntern(changes), ...asking })
  /** Asks until the intern has one of these statuses. */
  const until = async (id: string, ...statuses: ReadonlyArray<string>): Promise<unknown> => {
    const start = Date.now()
    for (;;) {
      const { body, status, text } = await ask("GET", `/interns/${id}`)
      const now = status === 404 ? "gone" : String(property(body, "status"))
      if (statuses.includes(now)) return body
      if (Date.now() - start > patienceMillis) throw new Error(`${id} is still ${text}`)
      await sleep(5)
    }
  }
  /** Makes an intern that runs. */
  const hire = async (changes: Readonly<Record<string, unknown>> = {}): Promise<string> => {
    const id = idOf(await create({ provision: true, ...changes }))
    await until(id, "running")
    return id
  }
  const manage = (path: string, body: object) =>
    ask("POST", path, { key: internKeys.management, body })
  /** Another workspace, and a key that the same member has there. */
  const neighbour = async () => {
    const made = await manage("/workspaces", { name: "Other", slug: "other" })
    const workspace = String(property(property(made.body, "data"), "id"))
    await manage(`/workspaces/${workspace}/members/add`, { user_ids: ["mem-1"] })
    const issued = await manage("/keys", {
      name: "other",
      workspace_id: workspace,
      creator_user_id: "mem-1"
    })
    return { workspace, key: String(property(issued.body, "key")) }
  }
  return { box, root, hosting, ask, create, until, hire, neighbour }
}

export type InternStage = Awaited<ReturnType<typeof openInterns>>

export const newIntern = (changes: Readonly<Record<string, unknown>> = {}) => ({
  name: "ada",
  workspace_id: defaultWorkspaceId,
  ...changes
})

export const idOf = ({ body, text }: Answer): string => {
  const id = property(body, "id")
  if (typeof id !== "string") throw new Error(`no intern: ${text}`)
  return id
}

/** How often the host of interns was asked for it. */
export const countOf = ({ hosting }: InternStage, call: InternCall): number =>
  hosting.asked().filter((each) => each === call).length
