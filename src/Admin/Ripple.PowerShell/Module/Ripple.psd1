@{
    # The cmdlets. They and the loader are the only assemblies here; everything else is in lib.
    RootModule = 'Ripple.PowerShell.dll'

    # First: makes what is in lib resolve.
    NestedModules = @('Ripple.PowerShell.Loader.dll')

    ModuleVersion = '0.1.0'
    GUID = '5f0c2a8e-7d1b-4c39-9a6e-3b8f1d27c4a5'
    Author = 'The Ripple authors'
    Copyright = 'Copyright (c) The Ripple authors'
    Description = 'Publishes configuration with Ripple, shows which nodes have it, and takes it back.'

    PowerShellVersion = '7.6'
    CompatiblePSEditions = @('Core')

    FormatsToProcess = @('Ripple.format.ps1xml')

    CmdletsToExport = @(
        'Connect-Ripple'
        'Get-RippleConfig'
        'Get-RippleNode'
        'Get-RippleRegion'
        'Get-RippleRelease'
        'Publish-RippleRelease'
        'Undo-RippleRelease'
        'Wait-RippleRelease'
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
