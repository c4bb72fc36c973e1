/** The pages of the console, in the order of the navigation within each group. */
import type { Page } from "./Page.ts"

export const pages: ReadonlyArray<Page> = [
  {
    path: "overview",
    title: "Overview",
    group: "Monitor",
    load: async () => (await import("../pages/overview/OverviewPage.tsx")).OverviewPage
  },
  {
    path: "now",
    title: "Now",
    group: "Monitor",
    load: async () => (await import("../pages/now/NowPage.tsx")).NowPage
  },
  {
    path: "requests",
    title: "Requests",
    group: "Monitor",
    load: async () => (await import("../pages/requests/RequestsPage.tsx")).RequestsPage
  },
  {
    path: "sessions",
    title: "Sessions",
    group: "Monitor",
    load: async () => (await import("../pages/sessions/SessionsPage.tsx")).SessionsPage
  },
  {
    path: "jobs",
    title: "Jobs",
    group: "Monitor",
    load: async () => (await import("../pages/jobs/JobsPage.tsx")).JobsPage
  },
  {
    path: "incidents",
    title: "Incidents",
    group: "Monitor",
    load: async () => (await import("../pages/incidents/IncidentsPage.tsx")).IncidentsPage
  },
  {
    path: "fleet",
    title: "Fleet",
    group: "Monitor",
    load: async () => (await import("../pages/fleet/FleetPage.tsx")).FleetPage
  },
  {
    path: "spend",
    title: "Spend",
    group: "Cost",
    load: async () => (await import("../pages/spend/SpendPage.tsx")).SpendPage
  },
  {
    path: "customers",
    title: "Customers",
    group: "Cost",
    load: async () => (await import("../pages/customers/CustomersPage.tsx")).CustomersPage
  },
  {
    path: "models",
    title: "Models",
    group: "Routing",
    load: async () => (await import("../pages/models/ModelsPage.tsx")).ModelsPage
  },
  {
    path: "providers",
    title: "Providers",
    group: "Routing",
    load: async () => (await import("../pages/providers/ProvidersPage.tsx")).ProvidersPage
  },
  {
    path: "route",
    title: "Route",
    group: "Routing",
    load: async () => (await import("../pages/route/RoutePage.tsx")).RoutePage
  },
  {
    path: "experiments",
    title: "Experiments",
    group: "Routing",
    load: async () => (await import("../pages/experiments/ExperimentsPage.tsx")).ExperimentsPage
  },
  {
    path: "calibration",
    title: "Calibration",
    group: "Routing",
    load: async () => (await import("../pages/calibration/CalibrationPage.tsx")).CalibrationPage
  },
  {
    path: "playground",
    title: "Playground",
    group: "Build",
    load: async () => (await import("../pages/playground/PlaygroundPage.tsx")).PlaygroundPage
  },
  {
    path: "presets",
    title: "Presets",
    group: "Build",
    load: async () => (await import("../pages/presets/PresetsPage.tsx")).PresetsPage
  },
  {
    path: "interns",
    title: "Interns",
    group: "Build",
    load: async () => (await import("../pages/interns/InternsPage.tsx")).InternsPage
  },
  {
    path: "keys",
    title: "Keys & audit",
    group: "Access",
    load: async () => (await import("../pages/keys/KeysPage.tsx")).KeysPage
  },
  {
    path: "guardrails",
    title: "Guardrails",
    group: "Access",
    load: async () => (await import("../pages/guardrails/GuardrailsPage.tsx")).GuardrailsPage
  },
  {
    path: "byok",
    title: "Own credentials",
    group: "Access",
    load: async () => (await import("../pages/byok/ByokPage.tsx")).ByokPage
  },
  {
    path: "webhooks",
    title: "Webhooks",
    group: "Access",
    load: async () => (await import("../pages/webhooks/WebhooksPage.tsx")).WebhooksPage
  },
  {
    path: "users",
    title: "Users",
    group: "Access",
    load: async () => (await import("../pages/users/UsersPage.tsx")).UsersPage
  },
  {
    path: "members",
    title: "Members",
    group: "Access",
    load: async () => (await import("../pages/members/MembersPage.tsx")).MembersPage
  }
]
