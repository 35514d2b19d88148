using Ripple.Admin.Archives;

namespace Ripple.PowerShell.Output;

/// <summary>A file that was written.</summary>
public sealed class RippleExport
{
    internal RippleExport(ArchiveManifest manifest, string path)
    {
        Application = manifest.Application;
        Release = manifest.Release;
        Generation = manifest.Generation;
        ReleaseId = manifest.ReleaseId;
        KeyCount = manifest.Keys.Count;
        Path = path;
    }

    /// <summary>The application.</summary>
    public string Application { get; }

    /// <summary>The release whose state it holds.</summary>
    public ulong Release { get; }

    /// <summary>The generation of that release.</summary>
    public uint Generation { get; }

    /// <summary>The id of that release, 40 hexadecimal digits.</summary>
    public string ReleaseId { get; }

    /// <summary>The number of keys.</summary>
    public int KeyCount { get; }

    /// <summary>The file.</summary>
    public string Path { get; }
}
