// In place of what the MCP SDK loads for Node.js: its JSON Schema validator (ajv, 300 KB) judges answers of forms, and svcd mcp
// reads those itself (src/mcp/serve-stdio.ts).

export { default as process } from 'node:process';

export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error('svcd judges the answers of its forms itself');
  }
}
