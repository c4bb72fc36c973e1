/** Sends requests to upstreams on undici's `dispatch`, without the streams and promises of its `request`. */
import type { TransportRequest, UpstreamTransport } from "@signalbox/core/adapter"
import type { Agent } from "undici"
import type { ConnectionQueue } from "./ConnectionQueue.ts"
import type { LazyAgent, LoadedAgent } from "./lazyAgent.ts"
import { toUndiciForm } from "./toUndiciForm.ts"
import { UndiciAnswer } from "./UndiciAnswer.ts"

type GetQueue = (dispatcher: Agent) => ConnectionQueue | undefined

export const makeUndiciTransport = (
  agent: LazyAgent,
  getQueue: GetQueue = () => undefined
): UpstreamTransport => ({
  send: (request, listener) => {
    const answer = new UndiciAnswer(listener)
    const loaded = agent.getLoaded()
    if (loaded === undefined) void dispatchWhenLoaded(agent, request, answer, getQueue)
    else dispatch(loaded, request, answer, getQueue)
    answer.markSent()
    return () => answer.abort()
  }
})

const dispatchWhenLoaded = async (
  agent: LazyAgent,
  request: TransportRequest,
  answer: UndiciAnswer,
  getQueue: GetQueue
): Promise<void> => {
  try {
    dispatch(await agent.load(), request, answer, getQueue)
  } catch (error) {
    answer.fail(error)
  }
}

const dispatch = (
  { dispatcher, undici }: LoadedAgent,
  { body, headers, method, url }: TransportRequest,
  answer: UndiciAnswer,
  getQueue: GetQueue
): void => {
  if (answer.isOver) return
  const target = parseTarget(url)
  if (target instanceof Error) return answer.fail(target)
  const options = {
    origin: target.origin,
    path: target.path,
    method,
    headers,
    body: body === undefined || body instanceof FormData ? null : body,
    headersTimeout: 0,
    bodyTimeout: 0
  }
  const isReady =
    body instanceof FormData
      ? dispatcher.dispatch({ ...options, ...toUndiciForm(headers, body, undici) }, answer)
      : dispatcher.dispatch(options, answer)
  // Otherwise there was a connection for it, which may still be in the making.
  if (!isReady && !answer.hasConnection) answer.awaitConnection(getQueue(dispatcher), target.origin)
}

interface Target {
  readonly origin: string
  readonly path: string
}

/** Most requests go to few URLs. */
const parseTarget = (url: string): Target | Error => {
  const known = targets.get(url)
  if (known !== undefined) return known
  try {
    const { origin, pathname, search } = new URL(url)
    const target = { origin, path: pathname + search }
    if (targets.size === maxTargets) targets.clear()
    targets.set(url, target)
    return target
  } catch (error) {
    return error instanceof Error ? error : new TypeError("the URL is invalid")
  }
}

const targets = new Map<string, Target>()
const maxTargets = 256
