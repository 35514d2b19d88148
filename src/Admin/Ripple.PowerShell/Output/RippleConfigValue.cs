using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Output;

/// <summary>A key and its value at a release. Piped to <c>Publish-RippleRelease</c> it is published as it was read.</summary>
public sealed class RippleConfigValue
{
    internal RippleConfigValue(string application, KeyInfo key, KeyContent content)
    {
        Application = application;
        Key = content.Key;
        Value = ValueText.Of(content.Bytes);
        Release = content.Release;
        Generation = content.Generation;
        LengthBytes = content.Bytes.Length;
        IsJson = key.IsJson;
        Digest = key.Digest;
    }

    /// <summary>The application.</summary>
    public string Application { get; }

    /// <summary>The key.</summary>
    public string Key { get; }

    /// <summary>A string where the bytes are UTF-8, a byte array where they are not.</summary>
    public object Value { get; }

    /// <summary>The release it was read at.</summary>
    public ulong Release { get; }

    /// <summary>The generation of that release.</summary>
    public uint Generation { get; }

    /// <summary>The bytes of the value.</summary>
    public int LengthBytes { get; }

    /// <summary>True when the host checks that it is JSON.</summary>
    public bool IsJson { get; }

    /// <summary>Its digest, 40 hexadecimal digits.</summary>
    public string Digest { get; }
}
