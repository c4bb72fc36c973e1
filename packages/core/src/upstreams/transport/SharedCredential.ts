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
  #pending: Pending<A> | undefined

  constructor(fetch: () => ExpiringCredential<A> | PromiseLike<ExpiringCredential<A>>) {
    this.#fetch = fetch
  }

  /**
   * At once, unless there is none or it has expired. All calls share one fetch; one that failed is not remembered, and one
   * that was waited for longer than a minute is given up. Shortly before the end the next one is fetched in the background.
   * One that comes expired is used for five seconds, because the clock may be wrong, and because a provider that has no other
   * must not be asked for each request.
   */
  get(nowMillis: number): A | Promise<A> {
    const current = this.#current
    if (current === undefined || nowMillis >= current.expiresAt) return this.#wait(nowMillis)
    if (nowMillis >= current.renewsAt && this.#pending === undefined) {
      // It is still good: a failure matters only when it has expired.
      this.#start(nowMillis).value.catch(() => {})
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

  #wait(nowMillis: number): Promise<A> {
    let pending = this.#pending ?? this.#start(nowMillis)
    pending.awaitedSince ??= nowMillis
    // A fetch that hangs must not stop all later ones.
    if (nowMillis - pending.awaitedSince >= maxWaitMillis) {
      pending = this.#start(nowMillis)
      pending.awaitedSince = nowMillis
    }
    return pending.value
  }

  #start(nowMillis: number): Pending<A> {
    const value = this.#fetchNext(nowMillis).finally(() => {
      if (this.#pending === pending) this.#pending = undefined
    })
    const pending: Pending<A> = { value, awaitedSince: undefined }
    this.#pending = pending
    return pending
  }

  async #fetchNext(nowMillis: number): Promise<A> {
    const { expiresAt: stated, value } = await this.#fetch()
    // A date that is invalid says as little as none.
    const expiresAt =
      stated === undefined || Number.isNaN(stated)
        ? nowMillis + unknownLifetime
        : Math.max(stated, nowMillis + minLifetime)
    const lifetime = expiresAt - nowMillis
    // One that hung may come after the next one.
    if ((this.#current?.fetchedAt ?? nowMillis) <= nowMillis) {
      this.#current = {
        value,
        fetchedAt: nowMillis,
        expiresAt,
        renewsAt: expiresAt - Math.min(renewalMargin, lifetime / 5)
      }
    }
    return value
  }
}

interface Pending<A> {
  readonly value: Promise<A>
  /** When the first request had nothing else to use; undefined: none has yet. */
  awaitedSince: number | undefined
}

interface Current<A> {
  readonly value: A
  readonly fetchedAt: number
  readonly expiresAt: number
  /** From then on the next one is fetched. */
  readonly renewsAt: number
}

const unknownLifetime = 5 * 60_000

const minLifetime = 5_000

const renewalMargin = 5 * 60_000

const minAgeMillis = 30_000

const maxWaitMillis = 60_000
