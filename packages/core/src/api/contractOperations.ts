/** The operations of the contract, as the server knows them before it loads the contract. `npm run docs` writes it from the contract. */
import type { Operation } from "./contract/Operation.ts"

export const contractOperations: ReadonlyArray<Operation> = [
  {
    group: "decisions",
    name: "create",
    method: "POST",
    path: "/api/alpha/decisions",
    requiredCaller: "model",
    status: 200,
    refusesForms: true,
    errorRules: {
      hidesKeyProblems: true,
      runsModel: true
    }
  },
  {
    group: "decisions",
    name: "createUnderBase",
    method: "POST",
    path: "/api/v1/api/alpha/decisions",
    requiredCaller: "model",
    status: 200,
    refusesForms: true,
    errorRules: {
      hidesKeyProblems: true,
      runsModel: true
    }
  },
  {
    group: "decisions",
    name: "systemone",
    method: "POST",
    path: "/api/v1/systemone",
    requiredCaller: "model",
    status: 200,
    refusesForms: true,
    errorRules: {
      hidesKeyProblems: true,
      runsModel: true
    }
  },
  {
    group: "escalation",
    name: "report",
    method: "GET",
    path: "/api/v1/signalbox/escalation",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "chat",
    name: "complete",
    method: "POST",
    path: "/api/v1/chat/completions",
    requiredCaller: "model",
    status: 200,
    refusesForms: true,
    errorRules: {
      runsModel: true
    }
  },
  {
    group: "messages",
    name: "create",
    method: "POST",
    path: "/api/v1/messages",
    requiredCaller: "model",
    status: 200,
    refusesForms: true,
    errorRules: {
      envelope: "messages",
      runsModel: true
    }
  },
  {
    group: "messages",
    name: "countTokens",
    method: "POST",
    path: "/api/v1/messages/count_tokens",
    requiredCaller: "model",
    status: 200,
    refusesForms: true,
    errorRules: {
      envelope: "messages",
      runsModel: true
    }
  },
  {
    group: "responses",
    name: "create",
    method: "POST",
    path: "/api/v1/responses",
    requiredCaller: "model",
    status: 200,
    refusesForms: true,
    errorRules: {
      runsModel: true
    }
  },
  {
    group: "embeddings",
    name: "create",
    method: "POST",
    path: "/api/v1/embeddings",
    requiredCaller: "model",
    status: 200,
    refusesForms: true,
    errorRules: {
      runsModel: true
    }
  },
  {
    group: "rerank",
    name: "create",
    method: "POST",
    path: "/api/v1/rerank",
    requiredCaller: "model",
    status: 200,
    refusesForms: true,
    errorRules: {
      runsModel: true
    }
  },
  {
    group: "speech",
    name: "create",
    method: "POST",
    path: "/api/v1/audio/speech",
    requiredCaller: "model",
    status: 200,
    refusesForms: true,
    errorRules: {
      runsModel: true
    }
  },
  {
    group: "transcription",
    name: "create",
    method: "POST",
    path: "/api/v1/audio/transcriptions",
    requiredCaller: "model",
    status: 200,
    refusesForms: true,
    takesForms: true,
    errorRules: {
      runsModel: true
    }
  },
  {
    group: "images",
    name: "create",
    method: "POST",
    path: "/api/v1/images",
    requiredCaller: "model",
    status: 200,
    refusesForms: true,
    errorRules: {
      unavailableStatus: 502,
      runsModel: true,
      statuses: [400, 401, 402, 403, 404, 408, 409, 413, 415, 429, 500, 502, 524, 529]
    }
  },
  {
    group: "images",
    name: "generate",
    method: "POST",
    path: "/api/v1/images/generations",
    requiredCaller: "model",
    status: 200,
    refusesForms: true,
    errorRules: {
      unavailableStatus: 502,
      runsModel: true,
      statuses: [400, 401, 402, 403, 404, 408, 409, 413, 415, 429, 500, 502, 524, 529]
    }
  },
  {
    group: "images",
    name: "edit",
    method: "POST",
    path: "/api/v1/images/edits",
    requiredCaller: "model",
    status: 200,
    refusesForms: true,
    takesForms: true,
    errorRules: {
      unavailableStatus: 502,
      runsModel: true,
      statuses: [400, 401, 402, 403, 404, 408, 409, 413, 415, 429, 500, 502, 524, 529]
    }
  },
  {
    group: "imageModels",
    name: "list",
    method: "GET",
    path: "/api/v1/images/models",
    requiredCaller: "any",
    status: 200
  },
  {
    group: "imageModels",
    name: "listEndpoints",
    method: "GET",
    path: "/api/v1/images/models/:author/:slug/endpoints",
    requiredCaller: "any",
    status: 200
  },
  {
    group: "models",
    name: "list",
    method: "GET",
    path: "/api/v1/models",
    requiredCaller: "any",
    status: 200
  },
  {
    group: "models",
    name: "count",
    method: "GET",
    path: "/api/v1/models/count",
    requiredCaller: "any",
    status: 200
  },
  {
    group: "models",
    name: "listAccessible",
    method: "GET",
    path: "/api/v1/models/user",
    requiredCaller: "any",
    status: 200
  },
  {
    group: "models",
    name: "getById",
    method: "GET",
    path: "/api/v1/models/:id",
    requiredCaller: "any",
    status: 200
  },
  {
    group: "models",
    name: "get",
    method: "GET",
    path: "/api/v1/model/:author/:slug",
    requiredCaller: "any",
    status: 200
  },
  {
    group: "models",
    name: "listEmbeddings",
    method: "GET",
    path: "/api/v1/embeddings/models",
    requiredCaller: "anyone",
    status: 200
  },
  {
    group: "endpoints",
    name: "list",
    method: "GET",
    path: "/api/v1/models/:author/:slug/endpoints",
    requiredCaller: "any",
    status: 200
  },
  {
    group: "endpoints",
    name: "listZdr",
    method: "GET",
    path: "/api/v1/endpoints/zdr",
    requiredCaller: "any",
    status: 200
  },
  {
    group: "providers",
    name: "list",
    method: "GET",
    path: "/api/v1/providers",
    requiredCaller: "any",
    status: 200
  },
  {
    group: "calibration",
    name: "label",
    method: "POST",
    path: "/api/v1/signalbox/calibration/samples",
    requiredCaller: "any",
    status: 200,
    refusesForms: true
  },
  {
    group: "calibration",
    name: "get",
    method: "GET",
    path: "/api/v1/signalbox/calibration",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "calibration",
    name: "refit",
    method: "POST",
    path: "/api/v1/signalbox/calibration",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "calibration",
    name: "forget",
    method: "DELETE",
    path: "/api/v1/signalbox/calibration",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "customers",
    name: "list",
    method: "GET",
    path: "/api/v1/signalbox/customers",
    requiredCaller: "operator",
    status: 200
  },
  {
    group: "customers",
    name: "create",
    method: "POST",
    path: "/api/v1/signalbox/customers",
    requiredCaller: "operator",
    status: 201,
    refusesForms: true,
    isSecret: true
  },
  {
    group: "customers",
    name: "get",
    method: "GET",
    path: "/api/v1/signalbox/customers/:slug",
    requiredCaller: "operator",
    status: 200
  },
  {
    group: "customers",
    name: "update",
    method: "PATCH",
    path: "/api/v1/signalbox/customers/:slug",
    requiredCaller: "operator",
    status: 200,
    refusesForms: true
  },
  {
    group: "customers",
    name: "suspend",
    method: "POST",
    path: "/api/v1/signalbox/customers/:slug/suspend",
    requiredCaller: "operator",
    status: 200,
    refusesForms: true
  },
  {
    group: "customers",
    name: "resume",
    method: "POST",
    path: "/api/v1/signalbox/customers/:slug/resume",
    requiredCaller: "operator",
    status: 200,
    refusesForms: true
  },
  {
    group: "customers",
    name: "usage",
    method: "GET",
    path: "/api/v1/signalbox/customers/:slug/usage",
    requiredCaller: "operator",
    status: 200
  },
  {
    group: "customers",
    name: "delete",
    method: "DELETE",
    path: "/api/v1/signalbox/customers/:slug",
    requiredCaller: "operator",
    status: 200,
    refusesForms: true
  },
  {
    group: "workspaces",
    name: "list",
    method: "GET",
    path: "/api/v1/workspaces",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "workspaces",
    name: "create",
    method: "POST",
    path: "/api/v1/workspaces",
    requiredCaller: "management",
    status: 201,
    refusesForms: true
  },
  {
    group: "workspaces",
    name: "get",
    method: "GET",
    path: "/api/v1/workspaces/:id",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "workspaces",
    name: "update",
    method: "PATCH",
    path: "/api/v1/workspaces/:id",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "workspaces",
    name: "delete",
    method: "DELETE",
    path: "/api/v1/workspaces/:id",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "workspaces",
    name: "listMembers",
    method: "GET",
    path: "/api/v1/workspaces/:id/members",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "workspaces",
    name: "addMembers",
    method: "POST",
    path: "/api/v1/workspaces/:id/members/add",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "workspaces",
    name: "removeMembers",
    method: "POST",
    path: "/api/v1/workspaces/:id/members/remove",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "workspaces",
    name: "listBudgets",
    method: "GET",
    path: "/api/v1/workspaces/:workspace_ref/budgets",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "workspaces",
    name: "getBudget",
    method: "GET",
    path: "/api/v1/workspaces/:workspace_ref/budgets/:interval",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "workspaces",
    name: "setBudget",
    method: "PUT",
    path: "/api/v1/workspaces/:workspace_ref/budgets/:interval",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "workspaces",
    name: "deleteBudget",
    method: "DELETE",
    path: "/api/v1/workspaces/:workspace_ref/budgets/:interval",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "budgets",
    name: "list",
    method: "GET",
    path: "/api/v1/signalbox/budgets",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "budgets",
    name: "create",
    method: "POST",
    path: "/api/v1/signalbox/budgets",
    requiredCaller: "management",
    status: 201,
    refusesForms: true
  },
  {
    group: "budgets",
    name: "get",
    method: "GET",
    path: "/api/v1/signalbox/budgets/:id",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "budgets",
    name: "update",
    method: "PATCH",
    path: "/api/v1/signalbox/budgets/:id",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "budgets",
    name: "delete",
    method: "DELETE",
    path: "/api/v1/signalbox/budgets/:id",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "guardrails",
    name: "list",
    method: "GET",
    path: "/api/v1/guardrails",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "guardrails",
    name: "create",
    method: "POST",
    path: "/api/v1/guardrails",
    requiredCaller: "management",
    status: 201,
    refusesForms: true
  },
  {
    group: "guardrails",
    name: "listAllKeyAssignments",
    method: "GET",
    path: "/api/v1/guardrails/assignments/keys",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "guardrails",
    name: "listAllMemberAssignments",
    method: "GET",
    path: "/api/v1/guardrails/assignments/members",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "guardrails",
    name: "get",
    method: "GET",
    path: "/api/v1/guardrails/:id",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "guardrails",
    name: "update",
    method: "PATCH",
    path: "/api/v1/guardrails/:id",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "guardrails",
    name: "delete",
    method: "DELETE",
    path: "/api/v1/guardrails/:id",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "guardrails",
    name: "listKeyAssignments",
    method: "GET",
    path: "/api/v1/guardrails/:id/assignments/keys",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "guardrails",
    name: "assignKeys",
    method: "POST",
    path: "/api/v1/guardrails/:id/assignments/keys",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "guardrails",
    name: "unassignKeys",
    method: "POST",
    path: "/api/v1/guardrails/:id/assignments/keys/remove",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "guardrails",
    name: "listMemberAssignments",
    method: "GET",
    path: "/api/v1/guardrails/:id/assignments/members",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "guardrails",
    name: "assignMembers",
    method: "POST",
    path: "/api/v1/guardrails/:id/assignments/members",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "guardrails",
    name: "unassignMembers",
    method: "POST",
    path: "/api/v1/guardrails/:id/assignments/members/remove",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "keys",
    name: "list",
    method: "GET",
    path: "/api/v1/keys",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "keys",
    name: "create",
    method: "POST",
    path: "/api/v1/keys",
    requiredCaller: "management",
    status: 201,
    refusesForms: true,
    isSecret: true
  },
  {
    group: "keys",
    name: "get",
    method: "GET",
    path: "/api/v1/keys/:hash",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "keys",
    name: "update",
    method: "PATCH",
    path: "/api/v1/keys/:hash",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "keys",
    name: "delete",
    method: "DELETE",
    path: "/api/v1/keys/:hash",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "keys",
    name: "getCurrent",
    method: "GET",
    path: "/api/v1/key",
    requiredCaller: "any",
    status: 200
  },
  {
    group: "keys",
    name: "rotate",
    method: "POST",
    path: "/api/v1/signalbox/keys/:hash/rotate",
    requiredCaller: "management",
    status: 200,
    refusesForms: true,
    isSecret: true
  },
  {
    group: "keys",
    name: "setRateLimit",
    method: "PUT",
    path: "/api/v1/signalbox/keys/:hash/rate-limit",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "presets",
    name: "list",
    method: "GET",
    path: "/api/v1/presets",
    requiredCaller: "any",
    status: 200
  },
  {
    group: "presets",
    name: "get",
    method: "GET",
    path: "/api/v1/presets/:slug",
    requiredCaller: "any",
    status: 200
  },
  {
    group: "presets",
    name: "listVersions",
    method: "GET",
    path: "/api/v1/presets/:slug/versions",
    requiredCaller: "any",
    status: 200
  },
  {
    group: "presets",
    name: "getVersion",
    method: "GET",
    path: "/api/v1/presets/:slug/versions/:version",
    requiredCaller: "any",
    status: 200
  },
  {
    group: "presets",
    name: "saveChat",
    method: "POST",
    path: "/api/v1/presets/:slug/chat/completions",
    requiredCaller: "any",
    status: 200,
    refusesForms: true
  },
  {
    group: "presets",
    name: "saveMessages",
    method: "POST",
    path: "/api/v1/presets/:slug/messages",
    requiredCaller: "any",
    status: 200,
    refusesForms: true
  },
  {
    group: "presets",
    name: "saveResponses",
    method: "POST",
    path: "/api/v1/presets/:slug/responses",
    requiredCaller: "any",
    status: 200,
    refusesForms: true
  },
  {
    group: "presets",
    name: "update",
    method: "PATCH",
    path: "/api/v1/signalbox/presets/:slug",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "presets",
    name: "delete",
    method: "DELETE",
    path: "/api/v1/signalbox/presets/:slug",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "generations",
    name: "get",
    method: "GET",
    path: "/api/v1/generation",
    requiredCaller: "any",
    status: 200
  },
  {
    group: "generations",
    name: "getContent",
    method: "GET",
    path: "/api/v1/generation/content",
    requiredCaller: "any",
    status: 200
  },
  {
    group: "generations",
    name: "submitFeedback",
    method: "POST",
    path: "/api/v1/generation/feedback",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "generations",
    name: "listFeedback",
    method: "GET",
    path: "/api/v1/signalbox/feedback",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "generations",
    name: "list",
    method: "GET",
    path: "/api/v1/signalbox/generations",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "generations",
    name: "getRecord",
    method: "GET",
    path: "/api/v1/signalbox/generations/:id",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "generations",
    name: "previewReplay",
    method: "POST",
    path: "/api/v1/signalbox/generations/:id/replay/preview",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "generations",
    name: "replay",
    method: "POST",
    path: "/api/v1/signalbox/generations/:id/replay",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "sessions",
    name: "list",
    method: "GET",
    path: "/api/v1/signalbox/sessions",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "recordings",
    name: "list",
    method: "GET",
    path: "/api/v1/signalbox/recording",
    requiredCaller: "operator",
    status: 200
  },
  {
    group: "activity",
    name: "list",
    method: "GET",
    path: "/api/v1/activity",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "analytics",
    name: "getMeta",
    method: "GET",
    path: "/api/v1/analytics/meta",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "analytics",
    name: "query",
    method: "POST",
    path: "/api/v1/analytics/query",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "series",
    name: "get",
    method: "GET",
    path: "/api/v1/signalbox/series",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "series",
    name: "forecast",
    method: "GET",
    path: "/api/v1/signalbox/forecast",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "series",
    name: "exportSpend",
    method: "GET",
    path: "/api/v1/signalbox/spend.csv",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "live",
    name: "listEndpoints",
    method: "GET",
    path: "/api/v1/signalbox/endpoints",
    requiredCaller: "operator",
    status: 200
  },
  {
    group: "live",
    name: "listProcesses",
    method: "GET",
    path: "/api/v1/signalbox/processes",
    requiredCaller: "operator",
    status: 200
  },
  {
    group: "live",
    name: "listProviders",
    method: "GET",
    path: "/api/v1/signalbox/providers",
    requiredCaller: "operator",
    status: 200
  },
  {
    group: "live",
    name: "listModels",
    method: "GET",
    path: "/api/v1/signalbox/models",
    requiredCaller: "operator",
    status: 200
  },
  {
    group: "live",
    name: "watchEndpoints",
    method: "GET",
    path: "/api/v1/signalbox/endpoints/events",
    requiredCaller: "operator",
    status: 200,
    timeLimited: "input"
  },
  {
    group: "incidents",
    name: "list",
    method: "GET",
    path: "/api/v1/signalbox/incidents",
    requiredCaller: "operator",
    status: 200
  },
  {
    group: "traffic",
    name: "listControls",
    method: "GET",
    path: "/api/v1/signalbox/traffic-controls",
    requiredCaller: "operator",
    status: 200
  },
  {
    group: "traffic",
    name: "previewControl",
    method: "GET",
    path: "/api/v1/signalbox/traffic-controls/preview",
    requiredCaller: "operator",
    status: 200
  },
  {
    group: "traffic",
    name: "setControl",
    method: "PUT",
    path: "/api/v1/signalbox/traffic-controls",
    requiredCaller: "operator",
    status: 200,
    refusesForms: true
  },
  {
    group: "credits",
    name: "get",
    method: "GET",
    path: "/api/v1/credits",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "limits",
    name: "list",
    method: "GET",
    path: "/api/v1/signalbox/limits",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "limits",
    name: "getPeriods",
    method: "GET",
    path: "/api/v1/signalbox/limits/periods",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "alertRules",
    name: "list",
    method: "GET",
    path: "/api/v1/signalbox/alert-rules",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "alertRules",
    name: "create",
    method: "POST",
    path: "/api/v1/signalbox/alert-rules",
    requiredCaller: "management",
    status: 201,
    refusesForms: true
  },
  {
    group: "alertRules",
    name: "get",
    method: "GET",
    path: "/api/v1/signalbox/alert-rules/:id",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "alertRules",
    name: "update",
    method: "PATCH",
    path: "/api/v1/signalbox/alert-rules/:id",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "alertRules",
    name: "delete",
    method: "DELETE",
    path: "/api/v1/signalbox/alert-rules/:id",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "alerts",
    name: "list",
    method: "GET",
    path: "/api/v1/signalbox/alerts",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "experiments",
    name: "list",
    method: "GET",
    path: "/api/v1/signalbox/experiments",
    requiredCaller: "operator",
    status: 200
  },
  {
    group: "experiments",
    name: "restart",
    method: "POST",
    path: "/api/v1/signalbox/experiments/:id/restart",
    requiredCaller: "operator",
    status: 200,
    refusesForms: true
  },
  {
    group: "experiments",
    name: "stop",
    method: "POST",
    path: "/api/v1/signalbox/experiments/:id/stop",
    requiredCaller: "operator",
    status: 200,
    refusesForms: true
  },
  {
    group: "account",
    name: "get",
    method: "GET",
    path: "/api/v1/signalbox/account",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "account",
    name: "update",
    method: "PATCH",
    path: "/api/v1/signalbox/account",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "audit",
    name: "list",
    method: "GET",
    path: "/api/v1/signalbox/audit",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "failedRequests",
    name: "list",
    method: "GET",
    path: "/api/v1/signalbox/failed-requests",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "savedViews",
    name: "list",
    method: "GET",
    path: "/api/v1/signalbox/saved-views",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "savedViews",
    name: "create",
    method: "POST",
    path: "/api/v1/signalbox/saved-views",
    requiredCaller: "management",
    status: 201,
    refusesForms: true
  },
  {
    group: "savedViews",
    name: "get",
    method: "GET",
    path: "/api/v1/signalbox/saved-views/:id",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "savedViews",
    name: "update",
    method: "PATCH",
    path: "/api/v1/signalbox/saved-views/:id",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "savedViews",
    name: "delete",
    method: "DELETE",
    path: "/api/v1/signalbox/saved-views/:id",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "oAuth",
    name: "createCode",
    method: "POST",
    path: "/api/v1/auth/keys/code",
    requiredCaller: "any",
    status: 200,
    refusesForms: true,
    isSecret: true
  },
  {
    group: "oAuth",
    name: "exchangeCode",
    method: "POST",
    path: "/api/v1/auth/keys",
    requiredCaller: "anyone",
    status: 200,
    refusesForms: true,
    isSecret: true
  },
  {
    group: "organization",
    name: "listMembers",
    method: "GET",
    path: "/api/v1/organization/members",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "people",
    name: "export",
    method: "POST",
    path: "/api/v1/signalbox/people/export",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "people",
    name: "erase",
    method: "POST",
    path: "/api/v1/signalbox/people/erase",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "byok",
    name: "list",
    method: "GET",
    path: "/api/v1/byok",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "byok",
    name: "create",
    method: "POST",
    path: "/api/v1/byok",
    requiredCaller: "management",
    status: 201,
    refusesForms: true
  },
  {
    group: "byok",
    name: "get",
    method: "GET",
    path: "/api/v1/byok/:id",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "byok",
    name: "update",
    method: "PATCH",
    path: "/api/v1/byok/:id",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "byok",
    name: "delete",
    method: "DELETE",
    path: "/api/v1/byok/:id",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "byok",
    name: "listStates",
    method: "GET",
    path: "/api/v1/signalbox/byok",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "byok",
    name: "reorder",
    method: "PUT",
    path: "/api/v1/signalbox/byok/order",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "interns",
    name: "create",
    method: "POST",
    path: "/api/v1/interns",
    requiredCaller: "workspace",
    status: 201,
    requiresInternAccess: true,
    timeLimited: "operation",
    errorRules: {
      envelope: "intern",
      statuses: [400, 401, 403, 404, 408, 409, 413, 415, 429, 500, 502]
    }
  },
  {
    group: "interns",
    name: "list",
    method: "GET",
    path: "/api/v1/interns",
    requiredCaller: "workspace",
    status: 200,
    requiresInternAccess: true,
    timeLimited: "operation",
    errorRules: {
      envelope: "intern",
      statuses: [400, 401, 403, 404, 408, 409, 415, 429, 500]
    }
  },
  {
    group: "interns",
    name: "get",
    method: "GET",
    path: "/api/v1/interns/:internId",
    requiredCaller: "workspace",
    status: 200,
    requiresInternAccess: true,
    timeLimited: "operation",
    errorRules: {
      envelope: "intern",
      statuses: [401, 403, 404, 408, 409, 415, 429, 500]
    }
  },
  {
    group: "interns",
    name: "update",
    method: "PATCH",
    path: "/api/v1/interns/:internId",
    requiredCaller: "workspace",
    status: 200,
    requiresInternAccess: true,
    timeLimited: "operation",
    errorRules: {
      envelope: "intern",
      statuses: [400, 401, 403, 404, 408, 409, 413, 415, 429, 500]
    }
  },
  {
    group: "interns",
    name: "delete",
    method: "DELETE",
    path: "/api/v1/interns/:internId",
    requiredCaller: "workspace",
    status: 202,
    requiresInternAccess: true,
    timeLimited: "operation",
    errorRules: {
      envelope: "intern",
      unavailableStatus: 502,
      statuses: [400, 401, 403, 404, 408, 409, 413, 415, 429, 500, 502]
    }
  },
  {
    group: "interns",
    name: "provision",
    method: "POST",
    path: "/api/v1/interns/:internId/provision",
    requiredCaller: "workspace",
    status: 202,
    requiresInternAccess: true,
    timeLimited: "operation",
    errorRules: {
      envelope: "intern",
      unavailableStatus: 502,
      statuses: [400, 401, 403, 404, 408, 409, 413, 415, 429, 500, 502]
    }
  },
  {
    group: "interns",
    name: "suspend",
    method: "POST",
    path: "/api/v1/interns/:internId/suspend",
    requiredCaller: "workspace",
    status: 200,
    requiresInternAccess: true,
    timeLimited: "operation",
    errorRules: {
      envelope: "intern",
      unavailableStatus: 502,
      statuses: [400, 401, 403, 404, 408, 409, 413, 415, 429, 500, 502]
    }
  },
  {
    group: "interns",
    name: "chat",
    method: "POST",
    path: "/api/v1/interns/:internId/chat/completions",
    requiredCaller: "member",
    status: 200,
    requiresInternAccess: true,
    timeLimited: "input",
    errorRules: {
      envelope: "internChat"
    }
  },
  {
    group: "videos",
    name: "submit",
    method: "POST",
    path: "/api/v1/videos",
    requiredCaller: "model",
    status: 202,
    refusesForms: true,
    errorRules: {
      hidesKeyProblems: true,
      runsModel: true,
      statuses: [400, 401, 402, 403, 404, 408, 409, 413, 415, 429, 500]
    }
  },
  {
    group: "videos",
    name: "get",
    method: "GET",
    path: "/api/v1/videos/:jobId",
    requiredCaller: "model",
    status: 200,
    errorRules: {
      hidesKeyProblems: true,
      statuses: [401, 403, 404, 408, 409, 415, 429, 500]
    }
  },
  {
    group: "videos",
    name: "download",
    method: "GET",
    path: "/api/v1/videos/:jobId/content",
    requiredCaller: "model",
    status: 200,
    errorRules: {
      hidesKeyProblems: true,
      statuses: [400, 401, 403, 404, 408, 409, 410, 415, 416, 429, 500, 502]
    }
  },
  {
    group: "videos",
    name: "list",
    method: "GET",
    path: "/api/v1/signalbox/videos",
    requiredCaller: "management",
    status: 200,
    errorRules: {
      hidesKeyProblems: true
    }
  },
  {
    group: "videos",
    name: "cancel",
    method: "POST",
    path: "/api/v1/signalbox/videos/:jobId/cancel",
    requiredCaller: "any",
    status: 200,
    refusesForms: true,
    errorRules: {
      hidesKeyProblems: true
    }
  },
  {
    group: "videos",
    name: "listModels",
    method: "GET",
    path: "/api/v1/videos/models",
    requiredCaller: "any",
    status: 200
  },
  {
    group: "vaults",
    name: "list",
    method: "GET",
    path: "/api/v1/vault/secrets",
    requiredCaller: "workspace",
    status: 200,
    timeLimited: "operation"
  },
  {
    group: "vaults",
    name: "put",
    method: "PUT",
    path: "/api/v1/vault/secrets/:name",
    requiredCaller: "workspace",
    status: 200,
    refusesForms: true,
    timeLimited: "operation"
  },
  {
    group: "vaults",
    name: "delete",
    method: "DELETE",
    path: "/api/v1/vault/secrets/:name",
    requiredCaller: "workspace",
    status: 204,
    refusesForms: true,
    timeLimited: "operation"
  },
  {
    group: "vaults",
    name: "listForIntern",
    method: "GET",
    path: "/api/v1/vault/interns/:internId/secrets",
    requiredCaller: "workspace",
    status: 200,
    requiresInternAccess: true,
    timeLimited: "operation"
  },
  {
    group: "vaults",
    name: "putForIntern",
    method: "PUT",
    path: "/api/v1/vault/interns/:internId/secrets/:name",
    requiredCaller: "workspace",
    status: 200,
    refusesForms: true,
    requiresInternAccess: true,
    timeLimited: "operation"
  },
  {
    group: "vaults",
    name: "deleteForIntern",
    method: "DELETE",
    path: "/api/v1/vault/interns/:internId/secrets/:name",
    requiredCaller: "workspace",
    status: 204,
    refusesForms: true,
    requiresInternAccess: true,
    timeLimited: "operation"
  },
  {
    group: "vaults",
    name: "copyToIntern",
    method: "POST",
    path: "/api/v1/vault/interns/:internId/secrets/copy",
    requiredCaller: "workspace",
    status: 200,
    refusesForms: true,
    requiresInternAccess: true,
    timeLimited: "operation"
  },
  {
    group: "webhooks",
    name: "get",
    method: "GET",
    path: "/api/v1/signalbox/workspaces/:id/webhook",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "webhooks",
    name: "set",
    method: "PUT",
    path: "/api/v1/signalbox/workspaces/:id/webhook",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "webhooks",
    name: "delete",
    method: "DELETE",
    path: "/api/v1/signalbox/workspaces/:id/webhook",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "webhooks",
    name: "test",
    method: "POST",
    path: "/api/v1/signalbox/workspaces/:id/webhook/test",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "webhooks",
    name: "listSecrets",
    method: "GET",
    path: "/api/v1/signalbox/workspaces/:id/webhook/secrets",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "webhooks",
    name: "createSecret",
    method: "POST",
    path: "/api/v1/signalbox/workspaces/:id/webhook/secrets",
    requiredCaller: "management",
    status: 201,
    refusesForms: true,
    isSecret: true
  },
  {
    group: "webhooks",
    name: "deleteSecret",
    method: "DELETE",
    path: "/api/v1/signalbox/workspaces/:id/webhook/secrets/:secretId",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "deliveries",
    name: "list",
    method: "GET",
    path: "/api/v1/signalbox/deliveries",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "deliveries",
    name: "get",
    method: "GET",
    path: "/api/v1/signalbox/deliveries/:id",
    requiredCaller: "management",
    status: 200
  },
  {
    group: "deliveries",
    name: "redeliver",
    method: "POST",
    path: "/api/v1/signalbox/deliveries/:id/redeliver",
    requiredCaller: "management",
    status: 202,
    refusesForms: true
  },
  {
    group: "reports",
    name: "health",
    method: "GET",
    path: "/api/v1/signalbox/health",
    requiredCaller: "operator",
    status: 200
  },
  {
    group: "reports",
    name: "listDeadSteps",
    method: "GET",
    path: "/api/v1/signalbox/dead-steps",
    requiredCaller: "operator",
    status: 200
  },
  {
    group: "reports",
    name: "metrics",
    method: "GET",
    path: "/api/v1/signalbox/metrics",
    requiredCaller: "operator",
    status: 200
  },
  {
    group: "reports",
    name: "plan",
    method: "POST",
    path: "/api/v1/signalbox/plan",
    requiredCaller: "management",
    status: 200,
    refusesForms: true
  },
  {
    group: "probes",
    name: "live",
    method: "GET",
    path: "/api/v1/signalbox/live",
    requiredCaller: "any",
    status: 200
  },
  {
    group: "probes",
    name: "ready",
    method: "GET",
    path: "/api/v1/signalbox/ready",
    requiredCaller: "any",
    status: 200
  }
]
