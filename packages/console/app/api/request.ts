/** Requests to the HTTP API, through the console's own server. Addresses are relative to the page. */
import type { OperationId, OperationResponse } from "@signalbox/core/contract"
import type { ActionGroup } from "../../src/actionGroups.ts"
import { readEvents } from "./readEvents.ts"

/** Undefined and empty values are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>

/** Why a request has no result; `status` is 0 when there was no response. */
export class RequestError extends Error {
  readonly status: number
  /** Whether the host no longer knows the viewer: only its login helps. */
  readonly isSignedOut: boolean

  constructor(status: number, message: string, isSignedOut = false) {
    super(message)
    this.status = status
    this.isSignedOut = isSignedOut
  }
}

export const toRequestError = (problem: unknown): RequestError =>
  problem instanceof RequestError ? problem : new RequestError(0, String(problem))

export const toUrl = (path: string, query: Query = {}): string => {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, String(value)]]
  )
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`
}

/** Reads an operation: `get<"keys.list">("api/v1/keys", { offset: 0 })`. */
export const get = <Id extends OperationId>(
  path: string,
  query?: Query,
  signal?: AbortSignal
): Promise<OperationResponse<Id>> =>
  send(toUrl(path, query), { ...(signal === undefined ? undefined : { signal }) })

/** Sends a JSON body to an operation that changes nothing, such as a plan. */
export const post = <Id extends OperationId>(
  path: string,
  body: unknown,
  signal?: AbortSignal
): Promise<OperationResponse<Id>> =>
  send(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    ...(signal === undefined ? undefined : { signal })
  })

/** What the page knows of its session. */
export interface Session {
  readonly account: string
  readonly workspace: string
  readonly user: string | null
  /** What the host lets it change. */
  readonly allow: ReadonlyArray<ActionGroup>
  readonly show_content: boolean
  /** Where the host ends the session; null: it did not say. */
  readonly sign_out_url: string | null
  readonly token: string | null
}

export type { ActionGroup }

export const isAllowed = ({ allow }: Session, ...groups: ReadonlyArray<ActionGroup>): boolean =>
  groups.some((group) => allow.includes(group))

export const getSession = async (): Promise<Session> =>
  (await send<{ readonly data: Session }>("session", {})).data

/** Acts: the server refuses it without the token of this page. */
export const act = <Id extends OperationId>(
  session: Session,
  method: "POST" | "PATCH" | "PUT" | "DELETE",
  path: string,
  body?: unknown
): Promise<OperationResponse<Id>> =>
  send(path, {
    method,
    headers: {
      "x-signalbox-token": session.token ?? "",
      ...(body === undefined ? undefined : { "content-type": "application/json" })
    },
    ...(body === undefined ? undefined : { body: JSON.stringify(body) })
  })

/** Acts, and calls `onData` with the data of each event of the answer. `signal` ends it at the provider, too. */
export const actStreaming = async (
  session: Session,
  path: string,
  body: unknown,
  onData: (data: string) => void,
  signal: AbortSignal
): Promise<void> => {
  const response = await ask(path, {
    method: "POST",
    headers: { "x-signalbox-token": session.token ?? "", "content-type": "application/json" },
    body: JSON.stringify(body),
    signal
  })
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true
  if (!isStream || response.body === null) {
    await readJson(response)
    throw new RequestError(response.status, "The answer is no stream.")
  }
  await readEvents(response.body, onData)
}

const send = async <A>(url: string, init: RequestInit): Promise<A> =>
  // Safe: the contract says what the operation answers.
  (await readJson(await ask(url, init))) as A

const ask = async (url: string, init: RequestInit): Promise<Response> => {
  // A login page of the host would be HTML.
  const response = await fetch(url, { ...init, redirect: "manual" }).catch((error: unknown) => {
    if (init.signal?.aborted === true) throw error
    throw new RequestError(0, "The server does not answer.")
  })
  if (response.type === "opaqueredirect" || response.status === 401) {
    throw new RequestError(401, signedOut, true)
  }
  return response
}

/** Fails with what the server says where it refused. */
const readJson = async (response: Response): Promise<unknown> => {
  const json: unknown = await response.json().catch(() => undefined)
  const isPage = response.headers.get("content-type")?.startsWith("text/html") === true
  if (isPage || findErrorText(json, "reason") === "not_authorized") {
    throw new RequestError(response.status, signedOut, true)
  }
  if (!response.ok || json === undefined) {
    throw new RequestError(
      response.status,
      findErrorText(json, "message") ?? `The server answered ${response.status}.`
    )
  }
  return json
}

const signedOut = "You are not signed in any more."

/** A text in the error of a response. */
const findErrorText = (json: unknown, name: "message" | "reason"): string | undefined => {
  if (typeof json !== "object" || json === null || !("error" in json)) return undefined
  const { error } = json
  if (typeof error === "string") return name === "message" ? error : undefined
  const text: unknown = Object(error)[name]
  return typeof text === "string" ? text : undefined
}
