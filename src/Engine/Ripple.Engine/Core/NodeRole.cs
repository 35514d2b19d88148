namespace Ripple.Engine.Core;

/// <summary>What a token, and so a node's certificate, allows. Each role may do what those before it may.</summary>
public enum NodeRole
{
    /// <summary>Join, read the applications the token names, wait.</summary>
    Node = 0,

    /// <summary>Publish to the applications the token names.</summary>
    Publisher = 1,

    /// <summary>Everything, in every application.</summary>
    Admin = 2,
}
