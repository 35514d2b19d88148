@{
    # Imports the cmdlets from lib, where everything is but the loader.
    RootModule = 'Ripple.psm1'

    # Loaded first: loads what is in lib.
    RequiredAssemblies = @('Ripple.PowerShell.Loader.dll')

    ModuleVersion = '0.1.0'
    GUID = '5f0c2a8e-7d1b-4c39-9a6e-3b8f1d27c4a5'
    Author = 'The Ripple authors'
    Copyright = 'Copyright (c) The Ripple authors'
    Description = 'Publishes configuration with Ripple, shows which nodes have it, and takes it back.'

    PowerShellVersion = '7.6'
    CompatiblePSEditions = @('Core')

    FormatsToProcess = @('Ripple.format.ps1xml')

    CmdletsToExport = @(
        'Compare-RippleRelease'
        'Connect-Ripple'
        'Export-RippleConfig'
        'Get-RippleApplication'
        'Get-RippleAudit'
        'Get-RippleConfig'
        'Get-RippleDefinition'
        'Get-RippleNode'
        'Get-RippleRegion'
        'Get-RippleRelease'
        'Get-RippleRole'
        'Get-RippleSpace'
        'Get-RippleToken'
        'Grant-RippleRole'
        'Import-RippleConfig'
        'New-RippleApplication'
        'New-RippleToken'
        'Publish-RippleRelease'
        'Remove-RippleDefinition'
        'Remove-RippleToken'
        'Remove-RippleValue'
        'Revoke-RippleRole'
        'Send-RippleEvent'
        'Send-RippleReport'
        'Set-RippleDefinition'
        'Set-RippleSpace'
        'Set-RippleValue'
        'Undo-RippleRelease'
        'Wait-RippleRelease'
        'Watch-RippleEvent'
        'Watch-RippleFrontier'
        'Watch-RippleRelease'
    )
    FunctionsToExport = @()
    VariablesToExport = @()
    AliasesToExport = @()

    PrivateData = @{
        PSData = @{
            Prerelease = 'alpha1'
            Tags = @('configuration', 'multicast', 'ripple')
        }
    }
}
