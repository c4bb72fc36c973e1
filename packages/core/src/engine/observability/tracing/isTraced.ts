/** Whether the running fiber has a tracer of the host, so that spans are worth making. */
import * as Fiber from "effect/Fiber"
import * as Tracer from "effect/Tracer"

export const isTraced = (): boolean => {
  const fiber = Fiber.getCurrent()
  return fiber !== undefined && fiber.getRef(Tracer.Tracer) !== Tracer.nativeTracer
}
