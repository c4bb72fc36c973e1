/** A credential that expires: fetched once for all requests, and again before it expires. */

/** A credential and how long it can be used. */
export interface ExpiringCredential<A> {
  readonly value: A
  /** Milliseconds since the epoch; absent: it is fetched again after five minutes. */
  readonly expiresAt?: number | undefined
}

/** `A` is anything that signs requests, such as a token or the keys of AWS. */
export class SharedCredential<A> {
  readonly #fetch: () => ExpiringCredential<A> | PromiseLike<ExpiringCredential<A>>
  #current: Current<A> | undefined
  #pending: Promise<A> | undefined

  constructor(fetch: () => ExpiringCredential<A> | PromiseLike<ExpiringCredential<A>>) {
    this.#fetch = fetch
  }

  /**
   * At once, unless there is none or it has expired. All calls share one fetch, and a failed one is not remembered. Shortly
   * before the end the next one is fetched in the background.
   */
  get(nowMillis: number): A | Promise<A> {
    const current = this.#current
    if (current === undefined || nowMillis >= current.expiresAt) return this.#renew(nowMillis)
    if (nowMillis >= current.renewsAt && this.#pending === undefined) {
      // It is still good: a failure matters only when it has expired.
      this.#renew(nowMillis).catch(() => {})
    }
    return current.value
  }

  /**
   * Forgets a credential that was refused, so that the next one is fetched. False: it was fetched only just now, so another
   * one would be refused too.
   */
  forget(refused: A, nowMillis: number): boolean {
    const current = this.#current
    if (current === undefined || current.value !== refused) return true
    if (nowMillis - current.fetchedAt < minAgeMillis) return false
    this.#current = undefined
    return true
  }

  #renew(nowMillis: number): Promise<A> {
    this.#pending ??= this.#fetchNext(nowMillis).finally(() => {
      this.#pending = undefined
    })
    return this.#pending
  }

  async #fetchNext(nowMillis: number): Promise<A> {
    const { expiresAt = nowMillis + unknownLifetime, value } = await this.#fetch()
    const lifetime = Math.max(0, expiresAt - nowMillis)
    this.#current = {
      value,
      fetchedAt: nowMillis,
      expiresAt,
      renewsAt: expiresAt - Math.min(renewalMargin, lifetime / 5)
    }
    return value
  }
}

interface Current<A> {
  readonly value: A
  readonly fetchedAt: number
  readonly expiresAt: number
  /** From then on the next one is fetched. */
  readonly renewsAt: number
}

const unknownLifetime = 5 * 60_000

const renewalMargin = 5 * 60_000

const minAgeMillis = 30_000
