namespace Ripple.Engine.Releases;

/// <summary>How a value is meant to be read. The values are in every stored header.</summary>
internal enum KeyForm
{
    /// <summary>Any bytes; nobody looks inside.</summary>
    Bytes = 0,

    /// <summary>A JSON document that .NET's configuration accepts; carried byte for byte, with comments and order.</summary>
    Json = 1,
}
