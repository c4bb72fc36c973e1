/** Records what an instance logs and traces, to be searched for what must not be there. */
import { inspect } from "node:util"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import * as Tracer from "effect/Tracer"

/** Every level, each message with its cause and its annotations. */
export const recordLogs = (logs: Array<string>) =>
  Layer.merge(
    Layer.succeed(References.MinimumLogLevel, "All"),
    Logger.layer([
      Logger.make(({ cause, fiber, message }) => {
        const annotations = fiber.getRef(References.CurrentLogAnnotations)
        logs.push(inspect([message, cause, annotations], { depth: 12 }))
      })
    ])
  )

export const recordSpans = (spans: Array<Tracer.NativeSpan>) =>
  Layer.succeed(
    Tracer.Tracer,
    Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      }
    })
  )
