/** The application on Fastify, with tokens of @fastify/jwt. */
import jwt from "@fastify/jwt"
import { signalbox, Signalbox } from "@signalbox/fastify"
import { fastify, type FastifyRequest } from "fastify"
import {
  bundles,
  renderBill,
  type RunningShop,
  type ShopOptions,
  type Shopper,
  signUp,
  toCaller
} from "./Shop.ts"

const findShopper = (request: FastifyRequest): Promise<Shopper | undefined> =>
  request.jwtVerify<Shopper>().catch(() => undefined)

export const startFastifyShop = async (options: ShopOptions): Promise<RunningShop> => {
  const instance = await Signalbox.make({
    ...options,
    bundles,
    settings: { alertDelayMillis: 20 },
    authenticate: async ({ source }) => {
      const shopper = await findShopper(source)
      return shopper === undefined ? undefined : toCaller(shopper)
    }
  })
  await signUp(instance)
  const app = fastify({ pluginTimeout: 30_000 })
  app.register(jwt, { secret: "a secret of the test" })
  app.register(signalbox(instance), { prefix: "/ai" })
  app.addHook("preClose", () => instance.close())
  app.post<{ Body: Shopper }>("/login", async ({ body: { customer, name } }) => ({
    token: app.jwt.sign({ customer, name })
  }))
  app.get("/billing", async (request, reply) => {
    const shopper = await findShopper(request)
    if (shopper === undefined) return reply.code(401).send()
    return reply.type("text/html").send(await renderBill(instance, shopper.customer))
  })
  const origin = await app.listen({ host: "127.0.0.1", port: 0 })
  return {
    origin,
    instance,
    close: async () => {
      app.server.closeAllConnections()
      await app.close()
    }
  }
}
