// In place of what the MCP SDK loads for Node.js: its JSON Schema validator (ajv, 300 KB) judges answers of forms, which are
// not asked here.

export { default as process } from 'node:process';

export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error('no form is asked');
  }
}
