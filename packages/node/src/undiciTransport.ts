/** Sends requests to upstreams on undici's `dispatch`, without the streams and promises of its `request`. */
import type { TransportRequest, UpstreamTransport } from "@signalbox/core/adapter"
import type { LazyAgent, LoadedAgent } from "./lazyAgent.ts"
import { toUndiciForm } from "./toUndiciForm.ts"
import { UndiciAnswer } from "./UndiciAnswer.ts"

export const makeUndiciTransport = (agent: LazyAgent): UpstreamTransport => ({
  send: (request, listener) => {
    const answer = new UndiciAnswer(listener)
    const loaded = agent.getLoaded()
    if (loaded === undefined) void dispatchWhenLoaded(agent, request, answer)
    else dispatch(loaded, request, answer)
    answer.markSent()
    return () => answer.abort()
  }
})

const dispatchWhenLoaded = async (
  agent: LazyAgent,
  request: TransportRequest,
  answer: UndiciAnswer
): Promise<void> => {
  try {
    dispatch(await agent.load(), request, answer)
  } catch (error) {
    answer.fail(error)
  }
}

const dispatch = (
  { dispatcher, undici }: LoadedAgent,
  { body, headers, method, url }: TransportRequest,
  answer: UndiciAnswer
): void => {
  if (answer.isOver) return
  const target = parseTarget(url)
  if (target instanceof Error) return answer.fail(target)
  const options = {
    origin: target.origin,
    path: target.path,
    method,
    headers,
    headersTimeout: 0,
    bodyTimeout: 0
  }
  if (body === undefined) dispatcher.dispatch(options, answer)
  else if (body instanceof FormData) {
    dispatcher.dispatch({ ...options, ...toUndiciForm(headers, body, undici) }, answer)
  } else dispatcher.dispatch({ ...options, body }, answer)
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
