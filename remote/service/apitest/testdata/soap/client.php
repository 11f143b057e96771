<?php
// Calls operations as PHP's SoapClient does, from the WSDL alone: a line of
// JSON in for each call, one out.
$version = $argv[2] === '1.2' ? SOAP_1_2 : SOAP_1_1;
$clients = [];
while (($line = fgets(STDIN)) !== false) {
    $call = json_decode($line, true);
    try {
        $group = $call['group'];
        $clients[$group] ??= new SoapClient("{$argv[1]}/V2/$group.asmx?WSDL",
            ['soap_version' => $version, 'cache_wsdl' => WSDL_CACHE_NONE, 'exceptions' => true]);
        $name = $call['operation'];
        $result = $clients[$group]->__soapCall($name, [(object) $call['parameters']])->{$name . 'Result'};
        $answer = ['result' => is_string($result) ? $result : $result->any];
    } catch (SoapFault $e) {
        $answer = ['fault' => $e->faultcode, 'words' => $e->getMessage()];
    }
    echo json_encode($answer), "\n";
}
