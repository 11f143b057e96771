// Calls operations as npm's soap does, from the WSDL alone: a line of JSON in
// for each call, one out.
const soap = require('soap');
const lines = require('readline').createInterface({ input: process.stdin });
const [base, version] = process.argv.slice(2);
const clients = {};

async function call({ group, operation, parameters }) {
  clients[group] ??= await soap.createClientAsync(`${base}/V2/${group}.asmx?WSDL`, { forceSoap12Headers: version === '1.2' });
  const port = clients[group][group][version === '1.2' ? `${group}Soap12` : `${group}Soap`];
  return new Promise((resolve) => port[operation](parameters, (err, result, raw) => {
    if (err) return resolve({ fault: String(err.root?.Envelope?.Body?.Fault?.faultcode ?? err.message), words: err.message });
    const answer = result[operation + 'Result'];
    resolve({ result: typeof answer === 'string' ? answer : raw, code: answer.result?.code });
  }));
}

(async () => {
  for await (const line of lines) console.log(JSON.stringify(await call(JSON.parse(line)).catch((e) => ({ fault: 'client', words: e.stack }))));
})();
