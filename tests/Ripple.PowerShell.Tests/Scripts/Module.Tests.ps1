# The module in PowerShell itself, against a host that runs. Run by the tests:
#   pwsh -NoProfile -NonInteractive -File Module.Tests.ps1 -Module FOLDER -Connection FILE
# The host has the application shop with the nodes web-1 and web-2; web-2 rejects what says "bad".
# Each check writes a line; the last says how many there were. Exits with 1 when one failed.
param(
    [Parameter(Mandatory)] [string] $Module,
    [Parameter(Mandatory)] [string] $Connection
)

Set-StrictMode -Version Latest
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'Continue'
$script:passed = 0
$script:failed = 0

function Check([string] $Name, [scriptblock] $Test) {
    try {
        & $Test
        $script:passed++
        Write-Output "ok      $Name"
    }
    catch {
        $script:failed++
        Write-Output "FAILED  $Name`n        $_`n        $($_.ScriptStackTrace)"
    }
}

function Equal($Expected, $Actual) {
    if ("$Expected" -cne "$Actual") { throw "expected '$Expected', got '$Actual'" }
}

function ErrorId([scriptblock] $Action) {
    try { & $Action | Out-Null } catch { return ($_.FullyQualifiedErrorId -split ',')[0] }
    return 'none'
}

Check 'imports with its eight cmdlets, and nothing else' {
    Import-Module $Module
    $commands = (Get-Command -Module Ripple).Name | Sort-Object
    Equal 'Connect-Ripple Get-RippleConfig Get-RippleNode Get-RippleRegion Get-RippleRelease Publish-RippleRelease Undo-RippleRelease Wait-RippleRelease' ($commands -join ' ')
}

Check 'has help with examples for each' {
    foreach ($command in Get-Command -Module Ripple) {
        $help = Get-Help $command.Name -Full
        if (@($help.examples.example).Count -lt 2) { throw "$($command.Name) has no examples" }
        if (-not $help.description) { throw "$($command.Name) has no description" }
    }
    if ((Get-Help about_Ripple) -notmatch 'Wait-RippleRelease') { throw 'about_Ripple is not found' }
}

Check 'says what to do without a connection' {
    Equal 'Ripple.not_connected' (ErrorId { Get-RippleRelease shop })
}

Check 'refuses what is no connection string' {
    Equal 'Ripple.invalid_connection' (ErrorId { Connect-Ripple nonsense })
}

Check 'connects' {
    $info = Connect-Ripple -Path $Connection
    Equal 'RippleConnection' $info.GetType().Name
    if ($info.Roles -notcontains 'admin of *') { throw "roles: $($info.Roles)" }
}

Check 'keeps the client apart from PowerShell' {
    $context = [System.Runtime.Loader.AssemblyLoadContext]::All | Where-Object Name -eq 'Ripple'
    $names = $context.Assemblies.ForEach({ $_.GetName().Name })
    if ($names -notcontains 'Ripple.Admin' -or $names -notcontains 'Polly.Core') { throw "in it: $names" }
}

Check 'WhatIf names the nodes and changes nothing' {
    Publish-RippleRelease shop a.json '{ "n": 1 }' -WhatIf
    Equal 0 @(Get-RippleRelease shop).Count
}

Check 'publishes, and waits until every node has it' {
    $release = Publish-RippleRelease shop a.json '{ "n": 1 }' -Note first -Wait -PassThru
    Equal 1 $release.Release
    Equal 0 @(Get-RippleNode shop -BehindRelease 1).Count
}

Check 'publishes one release of a pipeline' {
    1..3 | ForEach-Object { [pscustomobject]@{ Application = 'shop'; Key = "k/$_"; Value = "$_" } } | Publish-RippleRelease
    Equal 'k/1 k/2 k/3' ((Get-RippleRelease shop -Release 2).Set -join ' ')
}

Check 'publishes files under their names, byte for byte' {
    $folder = New-Item -ItemType Directory (Join-Path ([IO.Path]::GetTempPath()) ([guid]::NewGuid()))
    [IO.File]::WriteAllBytes((Join-Path $folder f.bin), [byte[]](255, 0, 1))
    Get-ChildItem $folder | Publish-RippleRelease shop
    Remove-Item -Recurse $folder
    Equal '255 0 1' ((Get-RippleConfig shop f.bin).Value -join ' ')
}

Check 'reads with wildcards, and copies what it reads' {
    Equal 'k/1 k/2 k/3' ((Get-RippleConfig sh* K/*).Key -join ' ')
    Get-RippleConfig shop k/1 | ForEach-Object { $_ | Select-Object Application, @{ n = 'Key'; e = { 'copy' } }, Value } | Publish-RippleRelease
    Equal '1' (Get-RippleConfig shop copy).Value
}

Check 'takes Select-Object -First' {
    Equal 4 (Get-RippleRelease shop | Select-Object -First 1).Release
}

Check 'gives an error for each item that fails, and goes on' {
    $found = Get-RippleRelease shop -Release 1, 99, 2 -ErrorAction SilentlyContinue -ErrorVariable failures
    Equal '1 2' ($found.Release -join ' ')
    Equal 'Ripple.not_found' (($failures[0].FullyQualifiedErrorId -split ',')[0])
    Equal 'ObjectNotFound' $failures[0].CategoryInfo.Category
}

Check 'refuses with stable ids' {
    Equal 'Ripple.wrong_expected_release' (ErrorId { Publish-RippleRelease shop a.json '{ "n": 2 }' -ExpectedRelease 1 })
    Equal 'Ripple.invalid_json' (ErrorId { Publish-RippleRelease shop a.json '{' })
    Equal 'Ripple.invalid_value' (ErrorId { Publish-RippleRelease shop a.json @{ n = 1 } })
    Equal 'Ripple.unknown_application' (ErrorId { Publish-RippleRelease nowhere a.json '{}' })
}

Check 'names who rejected a release, and why' {
    $failure = $null
    try { Publish-RippleRelease shop a.json '{ "it": "bad" }' -Wait -TimeoutSeconds 60 } catch { $failure = $_ }
    Equal 'Ripple.cannot_hold' (($failure.FullyQualifiedErrorId -split ',')[0])
    if ("$failure" -notmatch 'web-2.*it says bad') { throw "$failure" }
}

Check 'undoes through the pipeline' {
    Get-RippleRelease shop -Release 5 | Undo-RippleRelease -Confirm:$false -Wait
    Equal '{ "n": 1 }' (Get-RippleConfig shop a.json).Value
    Equal 'Ripple.wrong_expected_release' (ErrorId { Undo-RippleRelease shop 5 -Confirm:$false })
}

Check 'does not undo where nobody can be asked' {
    $before = (Get-RippleRelease shop | Select-Object -First 1).Release
    try { Undo-RippleRelease shop $before } catch { }
    Equal $before (Get-RippleRelease shop | Select-Object -First 1).Release
}

Check 'waits by the pipeline and by a predicate' {
    $result = Get-RippleRelease shop -Release 6 | Wait-RippleRelease -TimeoutSeconds 60
    Equal 'Held 2' "$($result.Outcome) $($result.Total)"
    Equal 'Held' (Wait-RippleRelease shop 6 -Predicate 'MAX($ALL.applied)').Outcome
}

Check 'completes applications, keys and nodes' {
    function Complete([string] $Line) { (TabExpansion2 $Line $Line.Length).CompletionMatches.CompletionText -join ' ' }
    Equal 'shop' (Complete 'Get-RippleNode sh')
    Equal 'k/1 k/2 k/3' (Complete 'Get-RippleConfig shop k/')
    Equal 'web-1 web-2' (Complete 'Get-RippleNode shop -Name web')
}

Check 'shows tables' {
    $text = Get-RippleNode shop | Out-String -Width 200
    if ($text -notmatch 'Application +Name +Zone' -or $text -notmatch 'shop +web-1') { throw $text }
    foreach ($shown in @((Get-RippleRelease shop), (Get-RippleConfig shop), (Connect-Ripple -Path $Connection))) {
        if (-not ($shown | Out-String).Trim()) { throw 'nothing is shown' }
    }
}

Write-Output "$script:passed passed, $script:failed failed"
exit [int]($script:failed -gt 0)
