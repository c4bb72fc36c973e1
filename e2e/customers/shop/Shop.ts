/** An application that sells models to three tenants, apart from its host: options, sign-up, billing page and erasure. */
import type { Options, Signalbox } from "@signalbox/core"

/** Who is logged in. */
export interface Shopper {
  readonly customer: string
  readonly name: string
}

/** A running application. */
export interface RunningShop {
  readonly origin: string
  readonly instance: Signalbox<never>
  readonly close: () => Promise<void>
}

/** What a host starts the application with. */
export type ShopOptions = Pick<Options, "models" | "stores" | "upstreams"> & {
  readonly alerts: NonNullable<Options["alerts"]>
}

/** Five cents a month, or a dollar. */
export const bundles = {
  starter: { budget: { monthly: 0.05 }, models: ["proof/*"] },
  pro: { budget: { monthly: 1 }, models: ["proof/*"] }
} satisfies Options["bundles"]

const tenants = { acme: "starter", bolt: "pro", core: "starter" }

/** What a sign-up does for each tenant; it was done before when the application starts again. */
export const signUp = async ({ customers }: Pick<Signalbox<never>, "customers">): Promise<void> => {
  if ((await customers.list()).total_count > 0) return
  for (const [slug, bundle] of Object.entries(tenants)) {
    // Keys are not needed, because users have sessions.
    await customers.create({ slug, bundle })
  }
}

/** A user id is unique in the account, so it begins with the customer. */
const toUser = ({ customer, name }: Shopper): string => `${customer}:${name}`

export const toCaller = (shopper: Shopper) => ({
  workspace: shopper.customer,
  user: toUser(shopper)
})

const usd = new Intl.NumberFormat("en", { style: "currency", currency: "USD" })
const escapeHtml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

export const renderBill = async (
  { customers }: Pick<Signalbox<never>, "customers">,
  slug: string
): Promise<string> => {
  const { data } = await customers.usage({ slug })
  const [budget] = data.budgets
  const rows = [
    ...data.by_model.map(({ model, ...row }) => ({ what: model, ...row })),
    ...data.by_user.map(({ user, ...row }) => ({ what: user, ...row }))
  ].map(
    ({ cost, requests, what }) =>
      `<tr><td>${escapeHtml(what)}<td>${requests}<td>${usd.format(cost)}`
  )
  return `<!doctype html><title>${data.bundle}</title>
    <p>${usd.format(data.spent ?? 0)} of ${usd.format(budget?.limit ?? 0)}</p>
    <table>${rows.join("")}</table>`
}
