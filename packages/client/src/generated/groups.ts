/** All groups of the contract over one connection. `npm run docs` writes this file. */
import type { Connection } from "../Connection.ts"
import { decisions } from "./decisions.ts"
import { escalation } from "./escalation.ts"
import { chat } from "./chat.ts"
import { messages } from "./messages.ts"
import { responses } from "./responses.ts"
import { embeddings } from "./embeddings.ts"
import { rerank } from "./rerank.ts"
import { speech } from "./speech.ts"
import { transcription } from "./transcription.ts"
import { images } from "./images.ts"
import { imageModels } from "./imageModels.ts"
import { models } from "./models.ts"
import { endpoints } from "./endpoints.ts"
import { providers } from "./providers.ts"
import { calibration } from "./calibration.ts"
import { customers } from "./customers.ts"
import { workspaces } from "./workspaces.ts"
import { budgets } from "./budgets.ts"
import { guardrails } from "./guardrails.ts"
import { keys } from "./keys.ts"
import { presets } from "./presets.ts"
import { generations } from "./generations.ts"
import { sessions } from "./sessions.ts"
import { recordings } from "./recordings.ts"
import { activity } from "./activity.ts"
import { analytics } from "./analytics.ts"
import { series } from "./series.ts"
import { live } from "./live.ts"
import { incidents } from "./incidents.ts"
import { traffic } from "./traffic.ts"
import { credits } from "./credits.ts"
import { limits } from "./limits.ts"
import { alertRules } from "./alertRules.ts"
import { alerts } from "./alerts.ts"
import { experiments } from "./experiments.ts"
import { account } from "./account.ts"
import { audit } from "./audit.ts"
import { failedRequests } from "./failedRequests.ts"
import { savedViews } from "./savedViews.ts"
import { oAuth } from "./oAuth.ts"
import { organization } from "./organization.ts"
import { people } from "./people.ts"
import { byok } from "./byok.ts"
import { interns } from "./interns.ts"
import { videos } from "./videos.ts"
import { vaults } from "./vaults.ts"
import { webhooks } from "./webhooks.ts"
import { deliveries } from "./deliveries.ts"
import { reports } from "./reports.ts"
import { probes } from "./probes.ts"

export const makeGroups = (connection: Connection) => ({
  decisions: decisions(connection),
  escalation: escalation(connection),
  chat: chat(connection),
  messages: messages(connection),
  responses: responses(connection),
  embeddings: embeddings(connection),
  rerank: rerank(connection),
  speech: speech(connection),
  transcription: transcription(connection),
  images: images(connection),
  imageModels: imageModels(connection),
  models: models(connection),
  endpoints: endpoints(connection),
  providers: providers(connection),
  calibration: calibration(connection),
  customers: customers(connection),
  workspaces: workspaces(connection),
  budgets: budgets(connection),
  guardrails: guardrails(connection),
  keys: keys(connection),
  presets: presets(connection),
  generations: generations(connection),
  sessions: sessions(connection),
  recordings: recordings(connection),
  activity: activity(connection),
  analytics: analytics(connection),
  series: series(connection),
  live: live(connection),
  incidents: incidents(connection),
  traffic: traffic(connection),
  credits: credits(connection),
  limits: limits(connection),
  alertRules: alertRules(connection),
  alerts: alerts(connection),
  experiments: experiments(connection),
  account: account(connection),
  audit: audit(connection),
  failedRequests: failedRequests(connection),
  savedViews: savedViews(connection),
  oAuth: oAuth(connection),
  organization: organization(connection),
  people: people(connection),
  byok: byok(connection),
  interns: interns(connection),
  videos: videos(connection),
  vaults: vaults(connection),
  webhooks: webhooks(connection),
  deliveries: deliveries(connection),
  reports: reports(connection),
  probes: probes(connection)
})
