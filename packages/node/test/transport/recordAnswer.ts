/** A listener that records what a transport reports. */
import type {
  TransportControl,
  TransportHeaders,
  TransportListener,
  TransportRequest,
  UpstreamTransport
} from "@signalbox/core/adapter"
import type { UpstreamFailure } from "@signalbox/core/upstream"

interface RecordedAnswer {
  /** The calls in order; consecutive calls of `onData` are one. */
  readonly calls: ReadonlyArray<string>
  readonly status: number
  readonly headers: TransportHeaders
  readonly bytes: Buffer
  readonly failure: UpstreamFailure | undefined
}

export interface RunningAnswer {
  readonly abort: () => void
  readonly control: () => TransportControl
  readonly received: () => number
  readonly calls: ReadonlyArray<string>
  readonly hasResponse: Promise<void>
  readonly hasData: Promise<void>
  /** After `onEnd` or `onFailure`. */
  readonly finished: Promise<RecordedAnswer>
}

export const startRequest = (
  transport: UpstreamTransport,
  request: Partial<TransportRequest> & Pick<TransportRequest, "url">,
  overrides: Partial<TransportListener> = {}
): RunningAnswer => {
  const calls: Array<string> = []
  const record = (call: string): void => {
    if (hasReturned) {
      if (calls.at(-1) !== call || call !== "data") calls.push(call)
    } else calls.push(`${call} inside send`)
  }
  let hasReturned = false
  let status = 0
  let headers: TransportHeaders = {}
  let control: TransportControl | undefined
  let received = 0
  const chunks: Array<Uint8Array> = []
  const hasResponse = Promise.withResolvers<void>()
  const hasData = Promise.withResolvers<void>()
  const finished = Promise.withResolvers<RecordedAnswer>()
  const finish = (failure?: UpstreamFailure): void =>
    finished.resolve({ calls, status, headers, bytes: Buffer.concat(chunks), failure })
  const abort = transport.send(
    { method: "GET", headers: {}, ...request },
    {
      onResponse: (...response) => {
        record("response")
        ;[status, headers, control] = response
        overrides.onResponse?.(...response)
        hasResponse.resolve()
      },
      onData: (bytes) => {
        record("data")
        received += bytes.length
        chunks.push(bytes)
        overrides.onData?.(bytes)
        hasData.resolve()
      },
      onEnd: () => {
        record("end")
        finish()
      },
      onFailure: (failure) => {
        record("failure")
        finish(failure)
      }
    }
  )
  hasReturned = true
  return {
    abort,
    control: () => {
      if (control === undefined) throw new Error("there was no response")
      return control
    },
    received: () => received,
    calls,
    hasResponse: hasResponse.promise,
    hasData: hasData.promise,
    finished: finished.promise
  }
}
