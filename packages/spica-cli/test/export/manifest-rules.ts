import { Ajv2020 } from 'ajv/dist/2020.js'

/** What the operator's admission asks of a v1beta1 DynamoGraphDeployment. */
const graph = {
  type: 'object',
  required: ['apiVersion', 'kind', 'metadata', 'spec'],
  properties: {
    apiVersion: { const: 'nvidia.com/v1beta1' },
    kind: { const: 'DynamoGraphDeployment' },
    metadata: {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string', maxLength: 45, pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$' },
        annotations: { type: 'object', additionalProperties: { type: 'string' } },
      },
      additionalProperties: false,
    },
    spec: {
      type: 'object',
      required: ['backendFramework', 'components'],
      additionalProperties: false,
      properties: {
        backendFramework: { enum: ['vllm', 'sglang', 'trtllm'] },
        components: {
          type: 'array',
          maxItems: 25,
          minItems: 2,
          items: {
            type: 'object',
            required: ['name', 'type', 'replicas', 'podTemplate'],
            additionalProperties: false,
            properties: {
              name: { type: 'string', maxLength: 63, pattern: '^[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?$' },
              type: { enum: ['frontend', 'planner', 'worker', 'prefill', 'decode'] },
              replicas: { type: 'integer', minimum: 0 },
              multinode: {
                type: 'object',
                required: ['nodeCount'],
                additionalProperties: false,
                properties: { nodeCount: { type: 'integer', minimum: 2 } },
              },
              sharedMemorySize: { type: 'string', pattern: '^[0-9]+(Gi|Mi)$' },
              podTemplate: {
                type: 'object',
                required: ['spec'],
                properties: {
                  spec: {
                    type: 'object',
                    required: ['containers'],
                    properties: {
                      containers: {
                        type: 'array',
                        contains: {
                          type: 'object',
                          required: ['name', 'image', 'command', 'args'],
                          properties: {
                            name: { const: 'main' },
                            image: {
                              type: 'string',
                              pattern: '^nvcr\\.io/nvidia/ai-dynamo/[a-z-]+:[0-9]+\\.[0-9]+\\.[0-9]+$',
                            },
                            args: { type: 'array', items: { type: 'string' } },
                          },
                        },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
}

const validate = new Ajv2020({ strict: false, allErrors: true }).compile(graph)

/** Broken rules of a v1beta1 object, empty when it is admissible. */
export function brokenRules(object: unknown): string[] {
  if (validate(object)) return uniqueNames(object)
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
}

function uniqueNames(object: unknown): string[] {
  const components = (object as { spec: { components: { name: string }[] } }).spec.components
  const names = components.map((component) => component.name.toLowerCase())
  return new Set(names).size === names.length ? [] : ['component names repeat']
}
