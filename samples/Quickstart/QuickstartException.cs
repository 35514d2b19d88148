namespace Quickstart;

/// <summary>Something did not come as claimed; the message says what, and what was expected.</summary>
internal sealed class QuickstartException(string message) : Exception(message);
