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
  #failed: FailedFetch | undefined
  #fetches = 0

  constructor(fetch: () => ExpiringCredential<A> | PromiseLike<ExpiringCredential<A>>) {
    this.#fetch = fetch
  }

  /**
   * Returns the credential at once, unless there is none or it has expired. All calls share one fetch. A failed fetch
   * is not repeated within a second of its start: until then calls reject with the same error. A fetch that takes
   * longer than a minute is given up. Shortly before the credential expires, the next one is fetched in the background.
   * A credential that arrives expired is used for five seconds, because the clock may be wrong, and because a provider
   * without a better one must not be asked for each request.
   */
  get(nowMillis: number): A | Promise<A> {
    const current = this.#current
    if (
      current === undefined ||
      nowMillis >= current.expiresAt ||
      // The clock has been set back, so the age of the credential is unknown.
      nowMillis < current.fetchedAt - maxCorrectionMillis
    ) {
      return this.#wait(nowMillis)
    }
    if (
      nowMillis >= current.renewsAt &&
      this.#pending === undefined &&
      this.#findFailure(nowMillis) === undefined
    ) {
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
    const age = nowMillis - current.fetchedAt
    if (age >= -maxCorrectionMillis && age < minAgeMillis) return false
    this.#current = undefined
    return true
  }

  /** Undefined when the clock has been set back, because the failure is of unknown age then. */
  #findFailure(nowMillis: number): FailedFetch | undefined {
    const failed = this.#failed
    if (failed === undefined) return undefined
    const age = nowMillis - failed.startedAt
    return age >= 0 && age < failureMillis ? failed : undefined
  }

  #wait(nowMillis: number): Promise<A> {
    const failed = this.#pending === undefined ? this.#findFailure(nowMillis) : undefined
    if (failed !== undefined) return Promise.reject(failed.error)
    let pending = this.#pending ?? this.#start(nowMillis)
    pending.awaitedSince = Math.min(pending.awaitedSince ?? nowMillis, nowMillis)
    // A fetch that hangs must not stop all later ones.
    if (nowMillis - pending.awaitedSince >= maxWaitMillis) {
      pending = this.#start(nowMillis)
      pending.awaitedSince = nowMillis
    }
    return pending.value
  }

  #start(nowMillis: number): Pending<A> {
    const value = this.#fetchNext(nowMillis).then(
      (value) => {
        this.#endPending(pending, undefined)
        return value
      },
      (error: unknown) => {
        this.#endPending(pending, { error, startedAt: nowMillis })
        throw error
      }
    )
    const pending: Pending<A> = { value, awaitedSince: undefined }
    this.#pending = pending
    return pending
  }

  #endPending(pending: Pending<A>, failed: FailedFetch | undefined): void {
    if (this.#pending !== pending) return
    this.#pending = undefined
    this.#failed = failed
  }

  async #fetchNext(nowMillis: number): Promise<A> {
    const fetch = ++this.#fetches
    const { expiresAt: stated, value } = await this.#fetch()
    // A date that is invalid says as little as none.
    const expiresAt =
      stated === undefined || Number.isNaN(stated)
        ? nowMillis + unknownLifetime
        : Math.max(stated, nowMillis + minLifetime)
    const lifetime = expiresAt - nowMillis
    // A fetch that hung may end after the next one.
    if ((this.#current?.fetch ?? fetch) <= fetch) {
      this.#current = {
        value,
        fetch,
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

interface FailedFetch {
  readonly error: unknown
  readonly startedAt: number
}

interface Current<A> {
  readonly value: A
  /** The number of its fetch. */
  readonly fetch: number
  readonly fetchedAt: number
  readonly expiresAt: number
  /** From then on the next one is fetched. */
  readonly renewsAt: number
}

const unknownLifetime = 5 * 60_000

const minLifetime = 5_000

const renewalMargin = 5 * 60_000

const minAgeMillis = 30_000

/** Clocks are often set back by less. */
const maxCorrectionMillis = 1_000

const maxWaitMillis = 60_000

/** A provider of tokens that is down is asked once a second, not by each request. */
const failureMillis = 1_000
