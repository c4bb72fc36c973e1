/** Reports to a call in process how it was routed. */
import { CallRecorder, type RouteReport } from "./CallRecorder.ts"

export class RouteReporter extends CallRecorder {
  readonly #onRoute: (report: RouteReport) => void

  constructor(onRoute: (report: RouteReport) => void) {
    super()
    this.#onRoute = onRoute
  }

  report(): void {
    this.#onRoute(this.toReport())
  }
}
