/** The traffic controls as this process knows them, for every plan and every attempt. */
import type { TrafficControl } from "./TrafficControl.ts"

/** How far an endpoint is out of service. */
export type ControlState = Pick<TrafficControl, "state" | "weight">

/** What names an endpoint and its provider. */
interface ControlTarget {
  readonly id: string
  readonly provider: string
}

export class LiveControls {
  readonly #endpoints = new Map<string, ControlState>()
  readonly #providers = new Map<string, ControlState>()
  #changes = 0

  /** Takes all controls of the store. A list that was read before a newer one is ignored. */
  replace(controls: ReadonlyArray<TrafficControl>): void {
    // Versions only grow, and no control is deleted.
    const changes = controls.reduce((sum, { version }) => sum + version, 0)
    if (changes < this.#changes) return
    this.#changes = changes
    this.#endpoints.clear()
    this.#providers.clear()
    for (const { id, kind, state, weight } of controls) {
      if (state === "active" && weight === 1) continue
      const byId = kind === "endpoint" ? this.#endpoints : this.#providers
      byId.set(id, { state, weight })
    }
  }

  /** Undefined: none that has an effect. The stricter state holds, and weights multiply. */
  find({ id, provider }: ControlTarget): ControlState | undefined {
    const own = this.#endpoints.get(id)
    const shared = this.#providers.get(provider)
    if (own === undefined || shared === undefined) return own ?? shared
    const isOwnStricter = strictness[own.state] > strictness[shared.state]
    return {
      state: isOwnStricter ? own.state : shared.state,
      weight: own.weight * shared.weight
    }
  }

  /** The controls of the endpoints of these candidates, by id; undefined: there are none. */
  select(
    candidates: Iterable<{ readonly endpoint: ControlTarget }>
  ): Readonly<Record<string, ControlState>> | undefined {
    if (this.#endpoints.size === 0 && this.#providers.size === 0) return undefined
    const found: Array<readonly [id: string, control: ControlState]> = []
    for (const { endpoint } of candidates) {
      const control = this.find(endpoint)
      if (control !== undefined) found.push([endpoint.id, control])
    }
    return found.length === 0 ? undefined : Object.fromEntries(found)
  }
}

const strictness: Readonly<Record<ControlState["state"], number>> = {
  active: 0,
  drained: 1,
  disabled: 2
}
